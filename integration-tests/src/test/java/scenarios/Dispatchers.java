// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.Map;
import org.apache.pekko.actor.ActorRef;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;

/** Actors on dispatchers that are not the default one. */
final class Dispatchers {
  private Dispatchers() {}

  static void addTo(Map<String, Scenario> all) {
    all.put(
        "dispatcher-thread-pool",
        s ->
            run(
                s,
                """
                executor = thread-pool-executor
                thread-pool-executor.fixed-pool-size = 2
                """));
    all.put(
        "dispatcher-pinned",
        s -> run(s, "type = PinnedDispatcher\nexecutor = thread-pool-executor"));
    all.put(
        "dispatcher-calling-thread",
        s -> run(s, "type = org.apache.pekko.testkit.CallingThreadDispatcherConfigurator"));
    all.put("dispatcher-affinity", s -> run(s, "executor = affinity-pool-executor"));
    all.put("dispatcher-virtual", s -> run(s, "executor = virtual-thread-executor"));
  }

  private static void run(Stage stage, String settings) throws Exception {
    stage.with("test-dispatcher {\ntype = Dispatcher\n" + settings + "\n}");
    ActorRef back = stage.actor(Echo.props().withDispatcher("test-dispatcher"), "back");
    stage
        .actor(
            Front.props(stage, f -> back.tell(new Ping(), f.getSelf()))
                .withDispatcher("test-dispatcher"),
            "front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }
}
