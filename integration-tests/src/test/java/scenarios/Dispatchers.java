// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.ActorRef;
import scenarios.Messages.Ping;

/** Actors on dispatchers that are not the default one. */
public final class Dispatchers {
  private static final String CHAINED =
      """
            process Begin at /user/front
              process Ping at /user/back from /user/front
                process Pong at /user/front from /user/back
            """;

  private Dispatchers() {}

  public static void addTo(Scenes all) {
    all.add(
        "dispatcher-thread-pool",
        s ->
            run(
                s,
                """
                executor = thread-pool-executor
                thread-pool-executor.fixed-pool-size = 2
                """),
        CHAINED);
    all.add(
        "dispatcher-pinned",
        s -> run(s, "type = PinnedDispatcher\nexecutor = thread-pool-executor"),
        CHAINED);
    all.add(
        "dispatcher-calling-thread",
        s -> run(s, "type = org.apache.pekko.testkit.CallingThreadDispatcherConfigurator"),
        CHAINED);
    all.add("dispatcher-affinity", s -> run(s, "executor = affinity-pool-executor"), CHAINED);
    all.add("dispatcher-virtual", s -> run(s, "executor = virtual-thread-executor"), CHAINED);
  }

  private static void run(Stage stage, String settings) throws Exception {
    stage.with("test-dispatcher {\ntype = Dispatcher\n" + settings + "\n}");
    ActorRef back = stage.actor(Echo.props().withDispatcher("test-dispatcher"), "back");
    stage.start(
        Front.props(stage, f -> back.tell(new Ping(), f.getSelf()))
            .withDispatcher("test-dispatcher"),
        "front");
    stage.await(1);
  }
}
