// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import scenarios.Messages.Boom;
import scenarios.Messages.Event;
import scenarios.Messages.Open;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Tick;

/** One kind of timer after the other, each for so many ticks; then some that must not tick. */
final class TimerHistory {
  private static final int TICKS = 15;
  private static final Duration SOON = Duration.ofMillis(4);
  private static final Duration LATER = Duration.ofMillis(40);
  private static final Duration NEVER = Duration.ofHours(1);

  private TimerHistory() {}

  static void run(Stage stage, Book book) throws Exception {
    stage.actor(Props.create(Clock.class, book), "clock").tell(new Open(), ActorRef.noSender());
    stage.await(1);
    stage.typed(clock(book), "typed-clock").tell(new Open());
    stage.await(1);
  }

  static final class Clock extends AbstractActorWithTimers {
    private final Book book;
    private int ticks;
    private Cancellable schedule = Cancellable.alreadyCancelled();

    Clock(Book book) {
      this.book = book;
    }

    @Override
    public void postRestart(Throwable reason) {
      write("restarted, " + reason.getMessage());
      getTimers().startSingleTimer("end", new Event("end"), LATER);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Open.class, o -> getTimers().startTimerWithFixedDelay("periodic", new Tick(), SOON))
          .match(
              Tick.class,
              t ->
                  count(
                      "tick",
                      () -> getTimers().startTimerAtFixedRate("periodic", new Ping(), SOON)))
          .match(
              Ping.class,
              p ->
                  count(
                      "at fixed rate",
                      () -> {
                        getTimers().cancel("periodic");
                        getTimers().startSingleTimer("single", new Event("replaced"), NEVER);
                        getTimers().startSingleTimer("single", new Event("single"), SOON);
                      }))
          .match(ReceiveTimeout.class, t -> count("receive time-out", this::schedule))
          .match(Pong.class, this::scheduled)
          .match(Event.class, this::event)
          .match(Boom.class, this::fail)
          .build();
    }

    private void event(Event event) {
      write(event.text());
      switch (event.text()) {
        case "single" -> getContext().setReceiveTimeout(SOON);
        case "once" -> periodically();
        case "end" -> book.signal();
        default -> {}
      }
    }

    private void schedule() {
      getContext().cancelReceiveTimeout();
      var scheduler = getContext().getSystem().scheduler();
      scheduler
          .scheduleOnce(
              SOON,
              getSelf(),
              new Event("cancelled"),
              getContext().getDispatcher(),
              ActorRef.noSender())
          .cancel();
      scheduler.scheduleOnce(
          LATER, getSelf(), new Event("once"), getContext().getDispatcher(), getSelf());
    }

    private void periodically() {
      schedule =
          getContext()
              .getSystem()
              .scheduler()
              .scheduleAtFixedRate(
                  SOON, SOON, getSelf(), new Pong(), getContext().getDispatcher(), getSelf());
    }

    /** Some more may be under way when it is cancelled. */
    private void scheduled(Pong pong) {
      if (schedule.isCancelled()) {
        return;
      }
      count(
          "scheduled",
          () -> {
            schedule.cancel();
            getSelf().tell(new Boom("with a timer"), getSelf());
          });
    }

    private void fail(Boom boom) {
      getTimers().startTimerWithFixedDelay("lost", new Event("lost"), Duration.ofMillis(1));
      throw new IllegalStateException(boom.text());
    }

    private void count(String what, Runnable last) {
      write(what + " " + ++ticks);
      if (ticks == TICKS) {
        ticks = 0;
        last.run();
      }
    }

    private void write(String line) {
      book.write(getSelf(), line);
    }
  }

  /** Restarted by its failure, and what its timers would have sent is then gone. */
  private static Behavior<Object> clock(Book book) {
    boolean[] again = {false};
    return Behaviors.supervise(
            Behaviors.setup(
                context ->
                    Behaviors.withTimers(
                        timers -> {
                          TypedClock clock = new TypedClock(book, context, timers);
                          if (again[0]) {
                            clock.write("restarted");
                            timers.startSingleTimer(new Event("end"), LATER);
                          }
                          again[0] = true;
                          return Behaviors.receiveMessage(clock::take);
                        })))
        .onFailure(SupervisorStrategy.restart());
  }

  private static final class TypedClock {
    private final Book book;
    private final ActorContext<Object> context;
    private final TimerScheduler<Object> timers;
    private int ticks;

    TypedClock(Book book, ActorContext<Object> context, TimerScheduler<Object> timers) {
      this.book = book;
      this.context = context;
      this.timers = timers;
    }

    Behavior<Object> take(Object message) {
      if (message instanceof Open) {
        timers.startTimerWithFixedDelay("periodic", new Tick(), SOON);
      } else if (message instanceof Tick) {
        count("tick", () -> timers.startTimerAtFixedRate("periodic", new Ping(), SOON));
      } else if (message instanceof Ping) {
        count(
            "at fixed rate",
            () -> {
              timers.cancel("periodic");
              timers.startSingleTimer("single", new Event("replaced"), NEVER);
              timers.startSingleTimer("single", new Event("single"), SOON);
            });
      } else if (message instanceof Pong) {
        count("receive time-out", this::schedule);
      } else if (message instanceof Event event) {
        event(event.text());
      }
      return Behaviors.same();
    }

    private void event(String text) {
      write(text);
      switch (text) {
        case "single" -> context.setReceiveTimeout(SOON, new Pong());
        case "once" -> {
          timers.startTimerWithFixedDelay("lost", new Event("lost"), Duration.ofMillis(1));
          throw new IllegalStateException("with a timer");
        }
        case "end" -> book.signal();
        default -> {}
      }
    }

    private void schedule() {
      context.cancelReceiveTimeout();
      context.scheduleOnce(SOON, context.getSelf(), new Event("cancelled")).cancel();
      context.scheduleOnce(LATER, context.getSelf(), new Event("once"));
    }

    private void count(String what, Runnable last) {
      write(what + " " + ++ticks);
      if (ticks == TICKS) {
        ticks = 0;
        last.run();
      }
    }

    void write(String line) {
      book.write(context.getSelf().path().toStringWithoutAddress(), line);
    }
  }
}
