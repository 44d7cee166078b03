// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.pattern.Patterns;
import scala.concurrent.Future;
import scenarios.Messages.Begin;
import scenarios.Messages.Done;
import scenarios.Messages.Tick;

/** Ways in which a classic actor's message is sent later: by futures and by timers. */
public final class Later {
  private static final String FRONT_TO_ITSELF =
      """
      process Begin at /user/front
        process Done at /user/front from /user/front
      """;

  private static final String TICK =
      """
      process Begin at /user/front
        process Tick at /user/front from /user/front
      """;

  private static final Duration SOON = Duration.ofMillis(20);

  private Later() {}

  public static void addTo(Scenes all) {
    all.add(
        "pipe-stage",
        Later::pipeStage,
        """
        process Begin at /user/front
          process Done at /user/front
        """);
    all.like("pipe-stage", "pipe-future", Later::pipeFuture);
    all.add("future-callback", Later::futureCallback, FRONT_TO_ITSELF);
    all.add("stage-callback", Later::stageCallback, FRONT_TO_ITSELF);
    all.add("stage-completed-elsewhere", Later::stageCompletedElsewhere, FRONT_TO_ITSELF);
    all.add("schedule-once", Later::scheduleOnce, TICK);
    all.add("schedule-runnable", Later::scheduleRunnable, TICK);
    all.add(
        "timer-single",
        Later::timerSingle,
        """
        process Begin at /user/clockwork
          process Tick at /user/clockwork
        """);
    all.add(
        "timer-periodic",
        Later::timerPeriodic,
        """
        process Begin at /user/clockwork
        process Tick at /user/clockwork, tick after process Begin
        process Tick at /user/clockwork, tick after process Begin
        """);
    all.add(
        "timer-overdue",
        Later::timerOverdue,
        """
        process Begin at /user/clockwork
          process Done at /user/clockwork from /user/clockwork
        """);
  }

  private static void pipeStage(Stage stage) throws Exception {
    stage.begin(
        1,
        f ->
            Patterns.pipe(
                    CompletableFuture.supplyAsync(() -> new Done(1)),
                    f.getContext().getDispatcher())
                .to(f.getSelf()));
  }

  private static void pipeFuture(Stage stage) throws Exception {
    stage.begin(
        1,
        f ->
            Patterns.pipe(
                    Futures.future(() -> new Done(1), f.getContext().getDispatcher()),
                    f.getContext().getDispatcher())
                .to(f.getSelf()));
  }

  private static void futureCallback(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          ActorRef self = f.getSelf();
          Future<Integer> future = Futures.future(() -> 1, f.getContext().getDispatcher());
          future.onComplete(
              answer -> {
                self.tell(new Done(answer.get()), self);
                return null;
              },
              f.getContext().getDispatcher());
        });
  }

  private static void stageCallback(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          ActorRef self = f.getSelf();
          var unused =
              CompletableFuture.supplyAsync(() -> 1)
                  .thenAccept(answer -> self.tell(new Done(answer), self));
        });
  }

  /** As a driver does that has threads of its own, which know of no trace. */
  private static void stageCompletedElsewhere(Stage stage) throws Exception {
    CompletableFuture<Integer> found = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    Thread driver = new Thread(() -> found.complete(asked.thenApply(nothing -> 1).join()));
    driver.start();
    stage.begin(
        1,
        f -> {
          ActorRef self = f.getSelf();
          var unused =
              found
                  .thenApply(Done::new)
                  .thenCombine(CompletableFuture.completedFuture(1), (done, one) -> done)
                  .whenComplete((done, failure) -> self.tell(done, self));
          asked.complete(null);
        });
    driver.join();
  }

  private static void scheduleOnce(Stage stage) throws Exception {
    stage.begin(
        1,
        f ->
            f.getContext()
                .getSystem()
                .scheduler()
                .scheduleOnce(
                    SOON, f.getSelf(), new Tick(), f.getContext().getDispatcher(), f.getSelf()));
  }

  private static void scheduleRunnable(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          ActorRef self = f.getSelf();
          f.getContext()
              .getSystem()
              .scheduler()
              .scheduleOnce(
                  SOON, () -> self.tell(new Tick(), self), f.getContext().getDispatcher());
        });
  }

  private static void timerSingle(Stage stage) throws Exception {
    stage.start(Props.create(Clockwork.class, stage, 1), "clockwork");
    stage.await(1);
  }

  private static void timerPeriodic(Stage stage) throws Exception {
    stage.start(Props.create(Clockwork.class, stage, 2), "clockwork");
    stage.await(2);
  }

  /** Cancelled when its ticks have already come to the mailbox. */
  private static void timerOverdue(Stage stage) throws Exception {
    stage.start(Props.create(Overdue.class, stage), "clockwork");
    stage.await(1);
  }

  /** Works until its timer has ticked, and cancels the timer then. */
  static final class Overdue extends AbstractActorWithTimers {
    private final Stage stage;

    Overdue(Stage stage) {
      this.stage = stage;
    }

    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder()
          .match(
              Begin.class,
              b -> {
                getTimers().startTimerWithFixedDelay("tick", new Tick(), SOON);
                CountDownLatch ticked = new CountDownLatch(1);
                getContext()
                    .getSystem()
                    .scheduler()
                    .scheduleOnce(
                        SOON.multipliedBy(5), ticked::countDown, getContext().getDispatcher());
                ticked.await();
                getTimers().cancel("tick");
                getSelf().tell(new Done(1), getSelf());
              })
          .match(Tick.class, t -> stage.signal())
          .match(Done.class, d -> stage.signal())
          .build();
    }
  }

  /** Sets a timer for one tick or for two, and then stops itself. */
  static final class Clockwork extends AbstractActorWithTimers {
    private final Stage stage;
    private final int ticks;
    private int seen;

    Clockwork(Stage stage, int ticks) {
      this.stage = stage;
      this.ticks = ticks;
    }

    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder()
          .match(
              Begin.class,
              b -> {
                if (ticks == 1) {
                  getTimers().startSingleTimer("tick", new Tick(), SOON);
                } else {
                  getTimers().startTimerWithFixedDelay("tick", new Tick(), SOON);
                }
              })
          .match(
              Tick.class,
              t -> {
                if (++seen == ticks) {
                  getTimers().cancel("tick");
                }
                if (seen <= ticks) {
                  stage.signal();
                }
              })
          .build();
    }
  }
}
