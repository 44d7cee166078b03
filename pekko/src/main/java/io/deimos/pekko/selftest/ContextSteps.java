// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.hooks.ScheduleHooks;
import io.deimos.recorder.woven.ContextFields;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.LightArrayRevolverScheduler.TaskHolder;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.TaskInvocation;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;
import scala.runtime.BoxedUnit;

/** Work that is registered in an actor and runs elsewhere: futures' callbacks, tasks, timers. */
final class ContextSteps {
  private static final FiniteDuration SOON = FiniteDuration.apply(1, TimeUnit.MILLISECONDS);

  private ContextSteps() {}

  static void run(Steps steps, ExtendedActorSystem system) {
    // Not ExecutionContext.parasitic, which Scala 2.12 has not.
    ExecutionContext here = ExecutionContext.fromExecutor(Runnable::run);
    futures(steps, here);
    steps.part("CallbackRunnable.<init>", () -> FutureSteps.run(steps, here));
    tasks(steps, system);
    scheduler(steps, system, here);
    stash(steps);
    steps.check(
        "Create.<init>",
        () ->
            steps.inActor(
                c ->
                    registered(new org.apache.pekko.dispatch.sysmsg.Create(scala.Option.empty()))));
    steps.check(
        "Supervise.<init>",
        () ->
            steps.inActor(
                c ->
                    registered(
                        new org.apache.pekko.dispatch.sysmsg.Supervise(
                            ActorRef.noSender(), true))));
    steps.check(
        "TimerSchedulerImpl.interceptTimerMsg",
        () -> {
          Run[] tick = new Run[1];
          tick[0] = new Run(c -> Run.class.getName().equals(Probe.messageClass()));
          steps.inActor(
              c -> {
                c.getTimers().startSingleTimer("self-test", tick[0], Duration.ofMillis(1));
                return true;
              });
          return steps.await(tick[0].answer());
        });
  }

  private static void stash(Steps steps) {
    steps.fires(
        "StashSupport.stash",
        () -> {
          CompletableFuture<Boolean> stashed = new CompletableFuture<>();
          steps.inActor(
              c -> {
                c.classicContext()
                    .actorOf(Props.create(Stasher.class), "stasher")
                    .tell(new Stasher.Stash(stashed), ActorRef.noSender());
                return true;
              });
          steps.await(stashed);
        });
  }

  private static void futures(Steps steps, ExecutionContext here) {
    boolean[] ran = new boolean[1];
    Promise<String> promise = Promise.apply();
    steps.check(
        "Promise$Transformation.<init>",
        () ->
            steps.inActor(
                c -> {
                  Future<String> mapped =
                      promise
                          .future()
                          .map(
                              new scala.runtime.AbstractFunction1<String, String>() {
                                @Override
                                public String apply(String value) {
                                  ran[0] = Probe.isActive();
                                  return value;
                                }
                              },
                              here);
                  return registered(mapped);
                }));
    steps.check(
        "Promise$Transformation.run",
        () -> {
          Steps.onPlainThread(() -> promise.success(""));
          return ran[0];
        });
  }

  private static void tasks(Steps steps, ExtendedActorSystem system) {
    boolean[] ran = new boolean[1];
    TaskInvocation[] task = new TaskInvocation[1];
    steps.check(
        "TaskInvocation.<init>",
        () ->
            steps.inActor(
                c -> {
                  task[0] =
                      new TaskInvocation(
                          system.eventStream(),
                          () -> ran[0] = Probe.isActive(),
                          new scala.runtime.AbstractFunction0<BoxedUnit>() {
                            @Override
                            public BoxedUnit apply() {
                              return BoxedUnit.UNIT;
                            }
                          });
                  return registered(task[0]);
                }));
    steps.check(
        "TaskInvocation.run",
        () -> {
          Steps.onPlainThread(task[0]);
          return ran[0];
        });
  }

  /** Whether a callback has its context; gives it one by hand if not, for the steps after. */
  private static boolean registered(Object callback) {
    ContextFields fields = (ContextFields) callback;
    if (fields.deimos$trace() != null) {
      return true;
    }
    ContextHooks.register(fields);
    return false;
  }

  private static void scheduler(Steps steps, ExtendedActorSystem system, ExecutionContext here) {
    boolean[] ran = new boolean[1];
    TaskHolder[] task = new TaskHolder[1];
    steps.fires(
        "LightArrayRevolverScheduler.scheduleOnce",
        () ->
            steps.inActor(
                c -> {
                  system.scheduler().scheduleOnce(SOON, () -> {}, here);
                  return true;
                }));
    steps.check(
        "LightArrayRevolverScheduler$TaskHolder.<init>",
        () ->
            steps.inActor(
                c -> {
                  Frame scheduling = ScheduleHooks.once();
                  task[0] = new TaskHolder(() -> ran[0] = Probe.isActive(), 1, here);
                  if (scheduling != null) {
                    ScheduleHooks.onceMade(scheduling);
                  }
                  return registered(task[0]);
                }));
    steps.check(
        "LightArrayRevolverScheduler$TaskHolder.executeTask",
        () -> {
          Steps.onPlainThread(() -> task[0].executeTask());
          return ran[0];
        });
    steps.check(
        "LightArrayRevolverScheduler$TaskHolder.cancel",
        () ->
            steps.inActor(
                c -> {
                  TaskHolder cancelled = new TaskHolder(() -> {}, 1, here);
                  ContextHooks.register((ContextFields) cancelled);
                  cancelled.cancel();
                  return ((ContextFields) cancelled).deimos$trace() == null;
                }));
    steps.fires(
        "LightArrayRevolverScheduler.scheduleWithFixedDelay",
        () ->
            steps.inActor(
                c -> {
                  FiniteDuration never = FiniteDuration.apply(1, TimeUnit.HOURS);
                  system.scheduler().scheduleWithFixedDelay(never, never, () -> {}, here).cancel();
                  return true;
                }));
    steps.fires(
        "LightArrayRevolverScheduler.schedule",
        () ->
            steps.inActor(
                c -> {
                  FiniteDuration never = FiniteDuration.apply(1, TimeUnit.HOURS);
                  system.scheduler().scheduleAtFixedRate(never, never, () -> {}, here).cancel();
                  return true;
                }));
    steps.fires(
        "ReceiveTimeout.rescheduleReceiveTimeout",
        () ->
            steps.inActor(
                c -> {
                  c.classicContext().setReceiveTimeout(Duration.ofHours(1));
                  ((ActorCell) c.classicContext()).checkReceiveTimeout(true);
                  c.classicContext().cancelReceiveTimeout();
                  return true;
                }));
  }
}
