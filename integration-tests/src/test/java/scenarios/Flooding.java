// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.japi.pf.DeciderBuilder;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Boom;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/**
 * As many traces as the argument says, all at once. Each is the same: six messages, of which one
 * makes its actor fail, and a question.
 */
final class Flooding {
  private static final int WORKERS = 4;
  private static final int SIGNALS = 3;

  private Flooding() {}

  static void addTo(Scenes all) {
    all.add("flood", Flooding::flood);
  }

  private static void flood(Stage stage) throws Exception {
    int count = Integer.parseInt(stage.argument());
    ActorRef back = stage.actor(Echo.props(), "back");
    ActorRef front = stage.actor(Props.create(Foreman.class, stage, back), "front");
    for (int i = 0; i < count; i++) {
      front.tell(new Work(i), ActorRef.noSender());
    }
    stage.await(count * SIGNALS);
  }

  /** Hands the work on. */
  static final class Foreman extends AbstractActor {
    private final List<ActorRef> workers = new ArrayList<>();

    Foreman(Stage stage, ActorRef back) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(getContext().actorOf(Props.create(Worker.class, stage, back), "worker-" + i));
      }
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
      return new OneForOneStrategy(
          false, DeciderBuilder.matchAny(failure -> SupervisorStrategy.resume()).build());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Work.class, w -> workers.get(w.number() % WORKERS).tell(w, getSelf()))
          .build();
    }
  }

  /** Signals that it was answered, that it failed, and what became of its question. */
  static final class Worker extends AbstractActor {
    private final Stage stage;
    private final ActorRef back;

    Worker(Stage stage, ActorRef back) {
      this.stage = stage;
      this.back = back;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                back.tell(new Ping(), getSelf());
                getSelf().tell(new Boom("as told"), getSelf());
                Patterns.ask(back, new Ping(), Duration.ofMinutes(1))
                    .thenAccept(pong -> stage.count());
              })
          .match(Pong.class, p -> stage.count())
          .match(
              Boom.class,
              b -> {
                stage.count();
                throw new IllegalStateException(b.text());
              })
          .build();
    }
  }
}
