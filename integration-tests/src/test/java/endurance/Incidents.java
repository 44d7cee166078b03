// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/**
 * Requests that go wrong, four a second, and how many of each there were: an actor fails, nobody
 * answers, or a message becomes a dead letter.
 */
final class Incidents implements Load {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final int STEPS = 6;

  private final ActorRef desk;
  private final Counts counts = new Counts();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isOver;
  private int requests;

  Incidents(ActorSystem system) {
    ActorRef gone = system.actorOf(Props.create(Actors.Echo.class), "gone");
    gone.tell(PoisonPill.getInstance(), ActorRef.noSender());
    ActorRef clerk = system.actorOf(Props.create(Clerk.class, () -> new Clerk(gone, counts)));
    desk = system.actorOf(Props.create(Desk.class, () -> new Desk(clerk)), "desk");
  }

  /** The incidents. */
  enum Kind {
    FAILS,
    SILENT,
    LOSES
  }

  record Order(Kind kind) {}

  record Step(Kind kind, int left) {}

  record Lost(String what) {}

  /** A failure as applications have them, without the lines that would fill the log. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused() {
      super("refused", null, false, false);
    }
  }

  /** The application's own counts. */
  static final class Counts {
    final AtomicLong steps = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong timeouts = new AtomicLong();
    final AtomicLong lost = new AtomicLong();
  }

  @Override
  public String name() {
    return "incidents";
  }

  @Override
  public long everyNanos() {
    return 250_000_000;
  }

  @Override
  public synchronized int once() {
    if (isOver) {
      return 0;
    }
    Kind kind = Kind.values()[requests++ % Kind.values().length];
    waiting.incrementAndGet();
    Patterns.ask(desk, new Order(kind), PATIENCE)
        .whenComplete(
            (answer, error) -> {
              counts.timeouts.addAndGet(error == null ? 0 : 1);
              waiting.decrementAndGet();
            });
    return 1;
  }

  /** Begins no more requests, waits for those that run, and says what there was. */
  String finish() {
    synchronized (this) {
      isOver = true;
    }
    while (waiting.get() > 0) {
      LockSupport.parkNanos(10_000_000);
    }
    return "requests="
        + requests
        + " steps="
        + counts.steps
        + " failures="
        + counts.failures
        + " timeouts="
        + counts.timeouts
        + " lost="
        + counts.lost;
  }

  /** Hands orders to the clerk, step by step. */
  static final class Desk extends AbstractActor {
    private final ActorRef clerk;

    Desk(ActorRef clerk) {
      this.clerk = clerk;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Order.class, order -> clerk.tell(new Step(order.kind(), STEPS), getSender()))
          .build();
    }
  }

  /** Takes some steps, and then it goes wrong. */
  static final class Clerk extends AbstractActor {
    private final ActorRef gone;
    private final Counts counts;

    Clerk(ActorRef gone, Counts counts) {
      this.gone = gone;
      this.counts = counts;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Step.class, this::step).build();
    }

    private void step(Step step) {
      counts.steps.incrementAndGet();
      if (step.left() > 0) {
        getSelf().tell(new Step(step.kind(), step.left() - 1), getSender());
        return;
      }
      switch (step.kind()) {
        case FAILS -> {
          counts.failures.incrementAndGet();
          throw new Refused();
        }
        case LOSES -> {
          counts.lost.incrementAndGet();
          gone.tell(new Lost("letter"), getSelf());
          getSender().tell("lost", getSelf());
        }
        case SILENT -> {}
      }
    }
  }
}
