// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.RemoteScope;
import wire.Messages.Begin;
import wire.Messages.Done;
import wire.Messages.Work;

/** Messages that two nodes pass back and forth for longer than a trace may go on. */
final class GuardRows {
  private static final int TURNS = 25;

  /** Longer than a trace may live, by more than the second to which nodes know its age. */
  private static final Duration PAUSE = Duration.ofMillis(9500);

  private GuardRows() {}

  static void addTo(Rows all) {
    all.add("deep", GuardRows::deep);
    all.add("aged", GuardRows::aged);
  }

  private static void deep(Stage stage) throws Exception {
    ActorRef there = there(stage, Turning.class);
    begin(stage, Props.create(Turned.class, () -> new Turned(stage, there)));
  }

  private static void aged(Stage stage) throws Exception {
    ActorRef there = there(stage, Pausing.class);
    begin(stage, Props.create(Paused.class, () -> new Paused(stage, there)));
  }

  private static ActorRef there(Stage stage, Class<? extends AbstractActor> type) {
    return stage.actor(
        Props.create(type).withDeploy(new Deploy(new RemoteScope(stage.peer()))), "-there");
  }

  private static void begin(Stage stage, Props here) throws Exception {
    stage.actor(here).tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }

  /** Tells itself the next number down to 0, and then the other one where to begin. */
  static class Turning extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                if (work.number() == 0) {
                  atZero();
                } else {
                  getSelf().tell(new Work(work.number() - 1), getSender());
                }
              })
          .build();
    }

    void atZero() {
      getSender().tell(new Work(TURNS), getSelf());
    }
  }

  /** Begins, and is the last to turn. */
  static final class Turned extends Turning {
    private final Stage stage;
    private final ActorRef there;

    Turned(Stage stage, ActorRef there) {
      this.stage = stage;
      this.there = there;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Begin.class, b -> there.tell(new Work(TURNS), getSelf()))
          .build()
          .orElse(super.createReceive());
    }

    @Override
    void atZero() {
      stage.signal();
    }
  }

  private static void later(AbstractActor actor, ActorRef to, Object message) {
    actor
        .getContext()
        .getSystem()
        .scheduler()
        .scheduleOnce(
            PAUSE, to, message, actor.getContext().getDispatcher(), actor.getContext().getSelf());
  }

  /** Answers the first late, and others at once. */
  static final class Pausing extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                Done done = new Done(work.number());
                if (work.number() == 1) {
                  later(this, getSender(), done);
                } else {
                  getSender().tell(done, getSelf());
                }
              })
          .build();
    }
  }

  /** Goes on from the first answer at once, from the second late, and from no other. */
  static final class Paused extends AbstractActor {
    private final Stage stage;
    private final ActorRef there;

    Paused(Stage stage, ActorRef there) {
      this.stage = stage;
      this.there = there;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Begin.class, b -> there.tell(new Work(1), getSelf()))
          .match(
              Done.class,
              done -> {
                switch (done.number()) {
                  case 1 -> there.tell(new Work(2), getSelf());
                  case 2 -> later(this, there, new Work(3));
                  default -> stage.signal();
                }
              })
          .build();
    }
  }
}
