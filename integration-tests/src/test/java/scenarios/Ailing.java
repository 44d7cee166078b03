// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.OneForOneStrategy;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.routing.ConsistentHashingPool;
import org.apache.pekko.routing.RoundRobinPool;
import scenarios.Messages.Begin;
import scenarios.Messages.Boom;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Tick;
import scenarios.Messages.Work;

/**
 * Actors with a defect each, and beside each one another that looks like it and is healthy. They go
 * on until the JVM ends.
 */
final class Ailing {
  private static final String SETTINGS =
      """
      apart { executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 24 }
      bounded.mailbox-type = org.apache.pekko.dispatch.BoundedMailbox
      bounded.mailbox-capacity = 20000
      bounded.mailbox-push-timeout-time = 0s
      bounded-stash.mailbox-type = org.apache.pekko.dispatch.UnboundedDequeBasedMailbox
      bounded-stash.stash-capacity = 5000
      """;

  private Ailing() {}

  static void addTo(Scenes all) {
    all.add("ailing", Ailing::ail);
  }

  private static void ail(Stage stage) throws Exception {
    stage.with(SETTINGS);
    asks(stage);
    backlogs(stage);
    supervised(stage);
    apart(stage, Props.create(SlowClock.class, SlowClock::new), "slow-clock")
        .tell(new Begin(), ActorRef.noSender());
    apart(stage, Props.create(QuickClock.class, QuickClock::new), "quick-clock")
        .tell(new Begin(), ActorRef.noSender());
    feed(100, apart(stage, Props.create(Busy.class, Busy::new), "busy"));
    feed(1, apart(stage, Props.create(Diligent.class, Diligent::new), "diligent"));
    feed(
        100,
        apart(
            stage,
            new ConsistentHashingPool(3)
                .withHashMapper(message -> "the same")
                .props(Props.create(OfOne.class, OfOne::new).withDispatcher("apart")),
            "pool-of-one"));
    feed(
        3,
        apart(
            stage,
            new RoundRobinPool(3)
                .props(Props.create(OfThree.class, OfThree::new).withDispatcher("apart")),
            "pool-of-three"));
    System.out.println("@holding");
    new Semaphore(0).acquire();
  }

  private static ActorRef apart(Stage stage, Props props, String named) {
    return stage.actor(props.withDispatcher("apart"), named);
  }

  /** A thread that always has so many messages under way to an actor, which gives permits back. */
  private static void feed(int underWay, ActorRef actor) {
    Semaphore permits = new Semaphore(underWay);
    Thread feeder =
        new Thread(
            () -> {
              while (true) {
                permits.acquireUninterruptibly();
                actor.tell(permits, ActorRef.noSender());
              }
            });
    feeder.setDaemon(true);
    feeder.start();
  }

  private static void asks(Stage stage) {
    ActorRef fourth = apart(stage, Props.create(Fourth.class, Fourth::new), "fourth");
    ActorRef third = apart(stage, Props.create(Third.class, () -> new Third(fourth)), "third");
    ActorRef second = apart(stage, Props.create(Second.class, () -> new Second(third)), "second");
    ActorRef first = apart(stage, Props.create(First.class, () -> new First(second)), "first");
    ActorRef back = apart(stage, Props.create(Back.class, Back::new), "back");
    ActorRef middle = apart(stage, Props.create(Middle.class, () -> new Middle(back)), "middle");
    ActorRef calm = apart(stage, Props.create(Calm.class, () -> new Calm(middle)), "calm");
    ActorRef tardy = apart(stage, Props.create(Tardy.class, Tardy::new), "tardy");
    ActorRef hasty = apart(stage, Props.create(Hasty.class, () -> new Hasty(tardy)), "hasty");

    stage
        .system()
        .scheduler()
        .scheduleAtFixedRate(
            Duration.ZERO,
            Duration.ofSeconds(1),
            () -> {
              first.tell(new Begin(), ActorRef.noSender());
              calm.tell(new Begin(), ActorRef.noSender());
              for (int i = 0; i < 20; i++) {
                hasty.tell(new Begin(), ActorRef.noSender());
              }
            },
            stage.system().dispatcher());
  }

  private static void backlogs(Stage stage) {
    ActorRef open = apart(stage, Props.create(Open.class, Open::new), "open");
    ActorRef bounded =
        apart(stage, Props.create(Bounded.class, Bounded::new).withMailbox("bounded"), "bounded");
    for (int i = 0; i < 12_000; i++) {
      open.tell(new Work(i), ActorRef.noSender());
      bounded.tell(new Work(i), ActorRef.noSender());
    }
    ActorRef stasher = apart(stage, Props.create(Stasher.class, Stasher::new), "stasher");
    ActorRef small =
        apart(
            stage,
            Props.create(BoundedStasher.class, BoundedStasher::new).withMailbox("bounded-stash"),
            "bounded-stasher");
    for (int i = 0; i < 1_200; i++) {
      stasher.tell(new Work(i), ActorRef.noSender());
      small.tell(new Work(i), ActorRef.noSender());
    }
  }

  private static void supervised(Stage stage) {
    ActorRef hiding = stage.actor(Props.create(Parent.class, () -> new Parent(false)), "hiding");
    ActorRef telling = stage.actor(Props.create(Parent.class, () -> new Parent(true)), "telling");
    for (int i = 0; i < 12; i++) {
      telling.tell(new Boom("told"), ActorRef.noSender());
    }
    stage
        .system()
        .scheduler()
        .scheduleAtFixedRate(
            Duration.ZERO,
            Duration.ofMillis(50),
            () -> hiding.tell(new Boom("hidden"), ActorRef.noSender()),
            stage.system().dispatcher());
  }

  /** Asks the next one for each message, if there is one, and gives its answer. */
  private abstract static class Link extends AbstractActor {
    private final ActorRef next;
    private final Duration timeout;

    Link(ActorRef next, long timeoutMillis) {
      this.next = next;
      timeout = Duration.ofMillis(timeoutMillis);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> answer()).build();
    }

    private void answer() {
      if (next == null) {
        getSender().tell(new Pong(), getSelf());
      } else {
        Patterns.pipe(Patterns.ask(next, new Ping(), timeout), getContext().getDispatcher())
            .to(getSender());
      }
    }
  }

  /** Gives up before the second one does. */
  static final class First extends Link {
    First(ActorRef next) {
      super(next, 20_000);
    }
  }

  static final class Second extends Link {
    Second(ActorRef next) {
      super(next, 30_000);
    }
  }

  static final class Third extends Link {
    Third(ActorRef next) {
      super(next, 10_000);
    }
  }

  static final class Fourth extends Link {
    Fourth() {
      super(null, 0);
    }
  }

  /** Waits for longer than the one it asks does. */
  static final class Calm extends Link {
    Calm(ActorRef next) {
      super(next, 30_000);
    }
  }

  static final class Middle extends Link {
    Middle(ActorRef next) {
      super(next, 20_000);
    }
  }

  static final class Back extends Link {
    Back() {
      super(null, 0);
    }
  }

  /** Gives up shortly after {@link Tardy} answers. */
  static final class Hasty extends Link {
    Hasty(ActorRef next) {
      super(next, 2_000);
    }
  }

  static final class Tardy extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              message ->
                  getContext()
                      .getSystem()
                      .scheduler()
                      .scheduleOnce(
                          Duration.ofMillis(1_700),
                          getSender(),
                          new Pong(),
                          getContext().getDispatcher(),
                          getSelf()))
          .build();
    }
  }

  /** Takes its first message and no other. */
  private abstract static class Held extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(message -> new Semaphore(0).acquireUninterruptibly())
          .build();
    }
  }

  static final class Open extends Held {}

  static final class Bounded extends Held {}

  static final class Stasher extends AbstractActorWithStash {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> stash()).build();
    }
  }

  static final class BoundedStasher extends AbstractActorWithStash {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> stash()).build();
    }
  }

  /** Takes its time for a message, and asks for another. */
  private abstract static class Worker extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Semaphore.class,
              permits -> {
                Thread.sleep(5);
                permits.release();
              })
          .build();
    }
  }

  static final class Busy extends Worker {}

  /** As busy, but nothing waits for it. */
  static final class Diligent extends Worker {}

  static final class OfOne extends Worker {}

  static final class OfThree extends Worker {}

  static final class Parent extends AbstractActor {
    private final SupervisorStrategy strategy;
    private final ActorRef child;

    Parent(boolean tells) {
      strategy =
          new OneForOneStrategy(
              -1, Duration.ofMinutes(1), failure -> SupervisorStrategy.resume(), tells);
      child =
          getContext()
              .actorOf(tells ? Props.create(Clumsy.class) : Props.create(Frail.class), "child");
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
      return strategy;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> child.forward(message, getContext())).build();
    }
  }

  /** Fails, and its supervisor says nothing. */
  static final class Frail extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Boom.class, Ailing::fail).build();
    }
  }

  static final class Clumsy extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Boom.class, Ailing::fail).build();
    }
  }

  private static void fail(Boom boom) {
    throw new IllegalStateException(boom.text());
  }

  /** Takes so long for each tick of ten a second. */
  private abstract static class Clock extends AbstractActorWithTimers {
    private final long millis;

    Clock(long millis) {
      this.millis = millis;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Begin.class,
              begin ->
                  getTimers().startTimerAtFixedRate("tick", new Tick(), Duration.ofMillis(100)))
          .match(Tick.class, tick -> Thread.sleep(millis))
          .build();
    }
  }

  static final class SlowClock extends Clock {
    SlowClock() {
      super(150);
    }
  }

  static final class QuickClock extends Clock {
    QuickClock() {
      super(1);
    }
  }
}
