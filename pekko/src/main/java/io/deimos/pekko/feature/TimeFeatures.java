// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Schedules, timers and receive time-outs. */
final class TimeFeatures {
  static final Feature SCHEDULER =
      Feature.named("SCHEDULER")
          .usedWith("org.apache.pekko.actor.LightArrayRevolverScheduler")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.LightArrayRevolverScheduler")
          .method("scheduleOnce")
          .takes(
              "scala.concurrent.duration.FiniteDuration",
              "java.lang.Runnable",
              "scala.concurrent.ExecutionContext")
          .weave("ScheduleAdvice$Once")
          .method("scheduleWithFixedDelay")
          .takes(
              "scala.concurrent.duration.FiniteDuration",
              "scala.concurrent.duration.FiniteDuration",
              "java.lang.Runnable",
              "scala.concurrent.ExecutionContext")
          .weave("ScheduleAdvice$FixedDelay")
          .method("schedule")
          .takes(
              "scala.concurrent.duration.FiniteDuration",
              "scala.concurrent.duration.FiniteDuration",
              "java.lang.Runnable",
              "scala.concurrent.ExecutionContext")
          .weave("ScheduleAdvice$FixedRate")
          .in("org.apache.pekko.actor.LightArrayRevolverScheduler$TaskHolder")
          .fields(ContextFields.class)
          .constructor()
          .takes("java.lang.Runnable", "int", "scala.concurrent.ExecutionContext")
          .weave("ScheduleAdvice$Task")
          .method("executeTask")
          .weave("ScheduleAdvice$Fires")
          .method("cancel")
          .weave("ScheduleAdvice$Cancels")
          .build();

  static final Feature TIMERS =
      Feature.named("TIMERS")
          .usedWith("org.apache.pekko.actor.TimerSchedulerImpl")
          .in("org.apache.pekko.actor.TimerSchedulerImpl")
          .method("interceptTimerMsg")
          .takes("org.apache.pekko.actor.TimerSchedulerImpl$TimerMsg")
          .weave("UnwrapAdvice$Returned")
          .build();

  static final Feature RECEIVE_TIMEOUT =
      Feature.named("RECEIVE_TIMEOUT")
          .usedWith("org.apache.pekko.actor.dungeon.ReceiveTimeout")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.dungeon.ReceiveTimeout")
          .method("rescheduleReceiveTimeout")
          .takes("scala.concurrent.duration.FiniteDuration")
          .weave("ScheduleAdvice$ReceiveTimeout")
          .build();

  static final List<Feature> ALL = List.of(SCHEDULER, TIMERS, RECEIVE_TIMEOUT);

  private TimeFeatures() {}
}
