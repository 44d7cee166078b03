// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.BreakerHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.pekko.pattern.CircuitBreaker;
import org.jspecify.annotations.Nullable;

/** Copied into {@code CircuitBreaker}, and into the registry of those that have a name. */
@SuppressWarnings("unused") // copied into Pekko
final class BreakerAdvice {
  private BreakerAdvice() {}

  /** The constructor that all others call. */
  static final class Made {
    private Made() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object breaker) {
      BreakerHooks.made((RefFields) breaker);
    }
  }

  /** {@code CircuitBreakersRegistry.createCircuitBreaker}. */
  static final class Named {
    private Named() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) String name, @Advice.Return @Nullable Object breaker) {
      BreakerHooks.named(breaker, name);
    }
  }

  /** {@code swapState}, which only one of several threads brings about. */
  static final class Changed {
    private Changed() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This CircuitBreaker breaker,
        @Advice.Argument(value = 1, typing = Assigner.Typing.DYNAMIC) Object to,
        @Advice.Return boolean swapped) {
      if (swapped) {
        String name = to.getClass().getName();
        BreakerHooks.changed(
            (RefFields) (Object) breaker,
            name.endsWith("$Closed$") ? "closed" : name.endsWith("$Open$") ? "open" : "half_open",
            breaker.isClosed() ? "closed" : breaker.isOpen() ? "open" : "half_open");
      }
    }
  }

  /** {@code notifyCallSuccessListeners}. */
  static final class Succeeded {
    private Succeeded() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object breaker, @Advice.Argument(0) long startNanos) {
      BreakerHooks.succeeded((RefFields) breaker, startNanos);
    }
  }

  /** {@code notifyCallFailureListeners}. */
  static final class Failed {
    private Failed() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object breaker, @Advice.Argument(0) long startNanos) {
      BreakerHooks.failed((RefFields) breaker, startNanos);
    }
  }

  /** {@code notifyCallTimeoutListeners}. */
  static final class TimedOut {
    private TimedOut() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object breaker, @Advice.Argument(0) long startNanos) {
      BreakerHooks.timedOut((RefFields) breaker, startNanos);
    }
  }

  /** {@code notifyCallBreakerOpenListeners}. */
  static final class Rejected {
    private Rejected() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object breaker) {
      BreakerHooks.rejected((RefFields) breaker);
    }
  }
}
