// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import scala.concurrent.Await;

/**
 * The program of {@link Loaders}: classic and typed actors, tells and asks, a failure, a dead
 * letter, an ask that is never answered.
 */
public final class Application {
  private Application() {}

  /** From the start of an actor system to its end. */
  public static void run() throws Exception {
    ActorSystem system = ActorSystem.create("application");
    ActorRef answerer = system.actorOf(Answerer.props(), "answerer");
    for (int i = 0; i < 100; i++) {
      Patterns.ask(answerer, new Question(i), Duration.ofSeconds(90)).toCompletableFuture().get();
    }
    org.apache.pekko.actor.typed.ActorRef<Question> typed =
        Adapter.spawn(
            system,
            Behaviors.receive(
                (context, question) -> {
                  answerer.tell(question, Adapter.toClassic(context.getSelf()));
                  return Behaviors.stopped();
                }),
            "typed");
    typed.tell(new Question(1));
    // Nobody ends this one: the actor system ends, and its scheduler with it.
    ActorRef deaf = system.actorOf(Props.create(Deaf.class, Deaf::new), "deaf");
    var unused = Patterns.ask(deaf, new Question(2), Duration.ofDays(1));
    system.stop(answerer);
    Await.result(
        system.terminate(), scala.concurrent.duration.Duration.apply(30, TimeUnit.SECONDS));
  }

  /** Never answers. */
  static final class Deaf extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> {}).build();
    }
  }

  /** A message of the application's own. */
  record Question(int number) {}
}
