// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import scenarios.Messages.Begin;
import scenarios.Messages.Done;
import scenarios.Messages.Tick;
import scenarios.Messages.Work;

/**
 * Timers and loops that would keep a trace alive for ever: ticks, receive time-outs, actors that
 * tell themselves.
 */
public final class Ticking {
  private static final String TICKS =
      """
      process Begin at /user/ticker
      process Tick at /user/ticker, tick after process Begin
      process Tick at /user/ticker, tick after process Begin
      """;

  /** The second was armed when the first had been processed. */
  private static final String RECEIVE_TIMEOUTS =
      """
      process Begin at /user/ticker
      process ReceiveTimeout at /user/ticker, tick after process Begin
      process ReceiveTimeout at /user/ticker, tick after process ReceiveTimeout
      """;

  private static final String RE_ARMED =
      """
      process Begin at /user/ticker
        process Tick at /user/ticker
      process Tick at /user/ticker, tick after process Tick
      """;

  private static final Duration SOON = Duration.ofMillis(20);

  private Ticking() {}

  public static void addTo(Scenes all) {
    all.add(
        "tick-fixed-delay",
        s -> classic(s, a -> a.getTimers().startTimerWithFixedDelay("t", new Tick(), SOON)),
        TICKS);
    all.add(
        "tick-fixed-rate",
        s -> classic(s, a -> a.getTimers().startTimerAtFixedRate("t", new Tick(), SOON)),
        TICKS);
    all.add(
        "tick-scheduler-delay",
        s ->
            classic(
                s,
                a ->
                    a.schedule =
                        a.getContext()
                            .getSystem()
                            .scheduler()
                            .scheduleWithFixedDelay(
                                SOON,
                                SOON,
                                a.getSelf(),
                                new Tick(),
                                a.getContext().getDispatcher(),
                                ActorRef.noSender())),
        TICKS);
    all.add(
        "tick-scheduler-rate",
        s ->
            classic(
                s,
                a ->
                    a.schedule =
                        a.getContext()
                            .getSystem()
                            .scheduler()
                            .scheduleAtFixedRate(
                                SOON,
                                SOON,
                                () -> a.getSelf().tell(new Tick(), ActorRef.noSender()),
                                a.getContext().getDispatcher())),
        TICKS);
    all.add(
        "tick-receive-timeout",
        s -> classic(s, a -> a.getContext().setReceiveTimeout(SOON)),
        RECEIVE_TIMEOUTS);
    all.add(
        "tick-typed-delay",
        s -> typed(s, t -> t.timers.startTimerWithFixedDelay(TICK, SOON)),
        TICKS);
    all.add(
        "tick-typed-rate", s -> typed(s, t -> t.timers.startTimerAtFixedRate(TICK, SOON)), TICKS);
    all.add(
        "tick-typed-receive-timeout",
        s -> typed(s, t -> t.context.setReceiveTimeout(SOON, TICK)),
        RECEIVE_TIMEOUTS);
    all.add("tick-re-armed", s -> typed(s, t -> t.timers.startSingleTimer(TICK, SOON)), RE_ARMED);
    all.add(
        "tick-re-armed-classic",
        s -> classic(s, a -> a.getTimers().startSingleTimer("t", new Tick(), SOON)),
        RE_ARMED);
    all.add(
        "tick-typed-scheduler-delay",
        s ->
            typed(
                s,
                t ->
                    t.schedule =
                        t.context
                            .getSystem()
                            .scheduler()
                            .scheduleWithFixedDelay(
                                SOON, SOON, t.tell(), t.context.getExecutionContext())),
        TICKS);
    all.add(
        "tick-typed-scheduler-rate",
        s ->
            typed(
                s,
                t ->
                    t.schedule =
                        t.context
                            .getSystem()
                            .scheduler()
                            .scheduleAtFixedRate(
                                SOON, SOON, t.tell(), t.context.getExecutionContext())),
        TICKS);
    all.add("loop", Ticking::loop);
    all.add(
        "loop-typed",
        Ticking::loopTyped,
        """
        process Work at /user/loop
          process Work at /user/loop
            process Work at /user/loop
              process Work at /user/loop
        """);
    all.add("fan-out", Ticking::fanOut);
  }

  private static final Tick TICK = new Tick();

  private static void classic(Stage stage, Consumer<Ticker> arm) throws Exception {
    stage.start(Props.create(Ticker.class, () -> new Ticker(stage, arm)), "ticker");
    stage.await(2);
  }

  private static void typed(Stage stage, Consumer<TypedTicker> arm) throws Exception {
    stage
        .typed(
            Behaviors.<Object>setup(
                context ->
                    Behaviors.withTimers(
                        timers -> new TypedTicker(context, timers, stage, arm).behavior())),
            "ticker")
        .tell(new Begin());
    stage.await(2);
  }

  /** An actor that tells itself as often as the argument says. */
  private static void loop(Stage stage) throws Exception {
    int turns = Integer.parseInt(stage.argument());
    stage
        .actor(Props.create(Loop.class, () -> new Loop(stage, turns)), "loop")
        .tell(new Work(0), ActorRef.noSender());
    stage.await(1);
  }

  /** The same, typed. */
  private static void loopTyped(Stage stage) throws Exception {
    stage
        .typed(
            Behaviors.<Work>setup(
                context ->
                    Behaviors.receiveMessage(
                        work -> {
                          if (work.number() < 3) {
                            context.getSelf().tell(new Work(work.number() + 1));
                          } else {
                            stage.signal();
                          }
                          return Behaviors.same();
                        })),
            "loop")
        .tell(new Work(0));
    stage.await(1);
  }

  /** One message that sends as many as the argument says. */
  private static void fanOut(Stage stage) throws Exception {
    int messages = Integer.parseInt(stage.argument());
    ActorRef sink = stage.actor(Props.create(Loop.class, () -> new Loop(stage, 0)), "sink");
    stage.begin(
        1,
        f -> {
          for (int i = 0; i < messages; i++) {
            sink.tell(new Work(i), f.getSelf());
          }
          sink.tell(new Done(messages), f.getSelf());
        });
  }

  /** Arms something that ticks, and disarms it after two ticks. */
  static final class Ticker extends AbstractActorWithTimers {
    private final Stage stage;
    private final Consumer<Ticker> arm;
    private Cancellable schedule;
    private int seen;

    Ticker(Stage stage, Consumer<Ticker> arm) {
      this.stage = stage;
      this.arm = arm;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Begin.class, b -> arm.accept(this))
          .match(Tick.class, t -> tick())
          .match(ReceiveTimeout.class, t -> tick())
          .build();
    }

    private void tick() {
      if (++seen == 2) {
        getTimers().cancelAll();
        getContext().cancelReceiveTimeout();
        if (schedule != null) {
          schedule.cancel();
        }
        getContext().become(receiveBuilder().matchAny(m -> {}).build());
      } else if (stage.name().equals("tick-re-armed-classic")) {
        arm.accept(this);
      }
      stage.signal();
    }
  }

  /** The same, typed; a single timer is armed again by its own tick. */
  static final class TypedTicker {
    final ActorContext<Object> context;
    final TimerScheduler<Object> timers;
    private final Stage stage;
    private final Consumer<TypedTicker> arm;
    private Cancellable schedule;
    private int seen;

    TypedTicker(
        ActorContext<Object> context,
        TimerScheduler<Object> timers,
        Stage stage,
        Consumer<TypedTicker> arm) {
      this.context = context;
      this.timers = timers;
      this.stage = stage;
      this.arm = arm;
    }

    Runnable tell() {
      org.apache.pekko.actor.typed.ActorRef<Object> self = context.getSelf();
      return () -> self.tell(TICK);
    }

    Behavior<Object> behavior() {
      return Behaviors.receiveMessage(
          message -> {
            if (message instanceof Begin) {
              arm.accept(this);
              return Behaviors.same();
            }
            stage.signal();
            if (++seen == 2) {
              if (schedule != null) {
                schedule.cancel();
              }
              return Behaviors.stopped();
            }
            if (stage.name().equals("tick-re-armed")) {
              arm.accept(this);
            }
            return Behaviors.same();
          });
    }
  }

  /** Sends itself the next number until it has reached the last. */
  static final class Loop extends org.apache.pekko.actor.AbstractActor {
    private final Stage stage;
    private final int turns;

    Loop(Stage stage, int turns) {
      this.stage = stage;
      this.turns = turns;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              work -> {
                if (work.number() < turns) {
                  getSelf().tell(new Work(work.number() + 1), getSelf());
                } else if (turns > 0) {
                  stage.signal();
                }
              })
          .match(Done.class, done -> stage.signal())
          .build();
    }
  }
}
