// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Two actor systems in one JVM, and Artery between them. */
final class Remoting {
  private static final String SETTINGS =
      """
      pekko.actor.provider = remote
      pekko.actor.allow-java-serialization = on
      pekko.actor.warn-about-java-serializer-usage = off
      pekko.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
      """;

  private Remoting() {}

  static void addTo(Scenes all) {
    all.add("remote-both-ways", Remoting::bothWays);
  }

  /** A message with its answer and a question, from each of the two to the other. */
  private static void bothWays(Stage stage) throws Exception {
    ActorSystem here = stage.with(SETTINGS).system();
    ActorSystem there = ActorSystem.create("there", stage.config());
    try {
      exchange(stage, here, there);
      exchange(stage, there, here);
    } finally {
      there.terminate();
      there.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
  }

  private static void exchange(Stage stage, ActorSystem from, ActorSystem to) throws Exception {
    to.actorOf(Echo.props(), "echo");
    ActorRef echo =
        found(from, ((ExtendedActorSystem) to).provider().getDefaultAddress() + "/user/echo");
    from.actorOf(
            Front.props(
                stage,
                f -> {
                  echo.tell(new Ping(), f.getSelf());
                  Patterns.pipe(
                          Patterns.ask(echo, new Work(1), Stage.PATIENCE),
                          f.getContext().getDispatcher())
                      .to(f.getSelf());
                }),
            "front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(2);
  }

  private static ActorRef found(ActorSystem from, String path) throws Exception {
    CompletableFuture<ActorRef> found = new CompletableFuture<>();
    from.actorOf(Props.create(Finder.class, () -> new Finder(path, found)), "finder");
    return found.get(Stage.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Finds one actor. */
  private static final class Finder extends AbstractActor {
    private final CompletableFuture<ActorRef> found;

    Finder(String path, CompletableFuture<ActorRef> found) {
      this.found = found;
      getContext().actorSelection(path).tell(new Identify(path), getSelf());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              ActorIdentity.class,
              answer -> {
                answer.getActorRef().ifPresent(found::complete);
                getContext().stop(getSelf());
              })
          .build();
    }
  }
}
