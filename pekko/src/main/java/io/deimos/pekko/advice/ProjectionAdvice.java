// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.ProjectionHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.internal.Telemetry;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.concurrent.Future;
import scala.util.Try;

/** Copied into Pekko Projection. */
@SuppressWarnings("unused") // copied into Pekko
final class ProjectionAdvice {
  private ProjectionAdvice() {}

  /** {@code TelemetryProvider.start}: each time a projection starts. */
  static final class Start {
    private Start() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ProjectionHooks.starts();
    }

    @SuppressWarnings({"ParameterAssignment", "UnusedAssignment", "UnusedVariable"})
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) ProjectionId id,
        @Advice.Argument(1) ActorSystem<?> system,
        @Advice.Return(readOnly = false) Telemetry telemetry) {
      telemetry =
          (Telemetry)
              ProjectionHooks.started(
                  telemetry, Telemetry.class, system.name(), id.name(), id.key());
    }
  }

  /** The constructor of {@code HandlerRecoveryImpl}, which calls the handler and tries again. */
  static final class Made {
    private Made() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object recovery, @Advice.Argument(4) @Nullable Object telemetry) {
      ProjectionHooks.made((RefFields) recovery, telemetry);
    }
  }

  /** {@code HandlerRecoveryImpl.applyRecovery}: one envelope, or one group of them. */
  static final class Handle {
    private Handle() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Object enter(
        @Advice.This Object recovery, @Advice.Argument(0) @Nullable Object envelope) {
      return ProjectionHooks.handles((RefFields) recovery, envelope);
    }

    @SuppressWarnings("unchecked") // a function of whatever, by proxy
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter @Nullable Object handling,
        @Advice.Argument(6) ActorSystem<?> system,
        @Advice.Return @Nullable Future<Done> done,
        @Advice.Thrown @Nullable Throwable thrown) {
      if (handling != null && done != null) {
        done.onComplete(
            (Function1<Try<Done>, Object>) ProjectionHooks.handled(handling, Function1.class),
            system.executionContext());
      } else if (handling != null && thrown != null) {
        ProjectionHooks.threw(handling, thrown);
      }
    }
  }
}
