// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.woven.RefFields;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code when a circuit breaker is made, has let a call through or not, or changes
 * its state. Safe for any thread.
 */
public final class BreakerHooks {
  private static final Hook MADE = Hook.named("CircuitBreaker.<init>");
  private static final Hook SUCCESS = Hook.named("CircuitBreaker.notifyCallSuccessListeners");
  private static final Hook FAILURE = Hook.named("CircuitBreaker.notifyCallFailureListeners");
  private static final Hook STATE = Hook.named("CircuitBreaker.swapState");
  private static final Hook REJECTED = Hook.named("CircuitBreaker.notifyCallBreakerOpenListeners");
  private static final Hook TIMEOUT = Hook.named("CircuitBreaker.notifyCallTimeoutListeners");
  private static final Hook NAMED = Hook.named("CircuitBreakersRegistry.createCircuitBreaker");

  private static final String[] NOBODY = {
    "org.apache.pekko.pattern.", "io.deimos.recorder.", "java.", "scala."
  };
  private static final String[] STATES = {"closed", "open", "half_open"};
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final Watched<Breaker> ALL = new Watched<>(10_000);

  private BreakerHooks() {}

  /** A breaker has been made; until it is named, it is told by the class that made it. */
  public static void made(RefFields breaker) {
    MADE.fires();
    Breaker made = new Breaker(maker());
    breaker.deimos$identity(made);
    if (!made.isHidden()) {
      ALL.add(made);
    }
  }

  private static String maker() {
    return STACK.walk(
        frames ->
            frames
                .map(StackWalker.StackFrame::getClassName)
                .filter(BreakerHooks::isSomebody)
                .map(BreakerHooks::outermost)
                .findFirst()
                .orElse("unknown"));
  }

  private static boolean isSomebody(String className) {
    String pekkos = PekkoNames.of(className);
    for (String nobody : NOBODY) {
      if (pekkos.startsWith(nobody)) {
        return false;
      }
    }
    return true;
  }

  /** Without what the compiler made of closures. */
  private static String outermost(String className) {
    int closure = className.indexOf("$$");
    return closure > 0 ? className.substring(0, closure) : className;
  }

  /** A breaker has been made that is known by a name in the configuration. */
  public static void named(@Nullable Object breaker, String name) {
    NAMED.fires();
    Breaker known = of(breaker);
    if (known != null) {
      known.named(name);
    }
  }

  /**
   * A breaker has changed its state; nobody has been told yet, but other threads may have seen it.
   *
   * @param to the state it changed to
   * @param now the one it is in by now, since one of those may have changed it again
   */
  public static void changed(RefFields breaker, String to, String now) {
    STATE.fires();
    Breaker known = of(breaker);
    if (known != null) {
      known.isIn(now);
      Metric.BREAKER_TRANSITIONS.tally().add(1, known.name(), to);
    }
  }

  public static void succeeded(RefFields breaker, long startNanos) {
    SUCCESS.fires();
    called(breaker, startNanos, "success");
  }

  public static void failed(RefFields breaker, long startNanos) {
    FAILURE.fires();
    called(breaker, startNanos, "failure");
  }

  public static void timedOut(RefFields breaker, long startNanos) {
    TIMEOUT.fires();
    called(breaker, startNanos, "timeout");
  }

  /** A call was not let through. */
  public static void rejected(RefFields breaker) {
    REJECTED.fires();
    Breaker known = of(breaker);
    if (known != null) {
      Metric.BREAKER_REJECTED.tally().add(1, known.name());
    }
  }

  /** The start is Pekko's, by its own clock. */
  private static void called(RefFields breaker, long startNanos, String outcome) {
    Breaker known = of(breaker);
    if (known != null) {
      Metric.BREAKER_CALLS
          .tally()
          .duration(Math.max(0, System.nanoTime() - startNanos), known.name(), outcome);
    }
  }

  private static @Nullable Breaker of(@Nullable Object breaker) {
    return breaker instanceof RefFields fields
            && fields.deimos$identity() instanceof Breaker known
            && !known.isHidden()
        ? known
        : null;
  }

  /** How many breakers are in which state. */
  public static void read(Readings into) {
    ALL.forEach(
        breaker -> {
          for (String state : STATES) {
            int count = state.equals(breaker.state()) ? 1 : 0;
            into.add(Metric.BREAKERS, count, breaker.name(), state);
            Metric.BREAKER_TRANSITIONS.tally().add(0, breaker.name(), state);
          }
          Metric.BREAKER_REJECTED.tally().add(0, breaker.name());
        });
  }

  /** About how many breakers are not among them. */
  public static int unread() {
    return ALL.unwatched();
  }
}
