// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.Patterns;
import scala.concurrent.Await;

/**
 * What {@link Loaders} runs: classic and typed actors, tells and asks, a failure, a dead letter.
 */
public final class Application {
  private Application() {}

  /** From the start of an actor system to its end. */
  public static void run() throws Exception {
    ActorSystem system = ActorSystem.create("application");
    ActorRef answerer = system.actorOf(Answerer.props(), "answerer");
    for (int i = 0; i < 100; i++) {
      Patterns.ask(answerer, new Question(i), Duration.ofSeconds(30)).toCompletableFuture().get();
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
    system.stop(answerer);
    Await.result(
        system.terminate(), scala.concurrent.duration.Duration.apply(30, TimeUnit.SECONDS));
  }

  /** A message of the application's own. */
  record Question(int number) {}
}
