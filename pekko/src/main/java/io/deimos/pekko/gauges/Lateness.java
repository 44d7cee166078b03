// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.ExtendedActorSystem;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/** How late the scheduler is: one empty task at a time is scheduled, and looks at the clock. */
final class Lateness implements SystemGauges.Part {
  private static final FiniteDuration SOON = FiniteDuration.apply(100, TimeUnit.MILLISECONDS);

  /** Not {@code ExecutionContext.parasitic}, which Scala 2.12 has not. */
  private static final ExecutionContext HERE = ExecutionContext.fromExecutor(Runnable::run);

  private final ExtendedActorSystem system;
  private final AtomicBoolean underWay = new AtomicBoolean();

  Lateness(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public String what() {
    return "the scheduler";
  }

  @Override
  public void read(Readings into) {
    if (!underWay.compareAndSet(false, true)) {
      return;
    }
    long due = Clock.now() + SOON.toNanos();
    system
        .scheduler()
        .scheduleOnce(
            SOON,
            () -> {
              Metric.SCHEDULER_LATENESS
                  .tally()
                  .duration(Math.max(0, Clock.now() - due), system.name());
              underWay.set(false);
            },
            HERE);
  }
}
