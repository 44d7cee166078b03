// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.Registered;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Copied into {@code CompletableFuture}, where a stage is made of a function: the function keeps
 * the context of here. It is the second argument, or the third where two futures are joined.
 */
@SuppressWarnings({"unused", "UnusedVariable", "ParameterReassigned"}) // copied into the JDK
final class StageAdvice {
  private StageAdvice() {}

  /** A {@code Function}. */
  static final class OneFunction {
    private OneFunction() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 1, readOnly = false) @Nullable Function<Object, Object> given) {
      given = Registered.function(given);
    }
  }

  /** A {@code BiFunction}. */
  static final class OneBiFunction {
    private OneBiFunction() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 1, readOnly = false)
            @Nullable BiFunction<Object, Object, Object> given) {
      given = Registered.biFunction(given);
    }
  }

  /** A {@code Consumer}. */
  static final class OneConsumer {
    private OneConsumer() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 1, readOnly = false) @Nullable Consumer<Object> given) {
      given = Registered.consumer(given);
    }
  }

  /** A {@code BiConsumer}. */
  static final class OneBiConsumer {
    private OneBiConsumer() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 1, readOnly = false) @Nullable BiConsumer<Object, Object> given) {
      given = Registered.biConsumer(given);
    }
  }

  /** A {@code Runnable}. */
  static final class OneRunnable {
    private OneRunnable() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 1, readOnly = false) @Nullable Runnable given) {
      given = Registered.runnable(given);
    }
  }

  /** A {@code Function}. */
  static final class TwoFunction {
    private TwoFunction() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 2, readOnly = false) @Nullable Function<Object, Object> given) {
      given = Registered.function(given);
    }
  }

  /** A {@code BiFunction}. */
  static final class TwoBiFunction {
    private TwoBiFunction() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 2, readOnly = false)
            @Nullable BiFunction<Object, Object, Object> given) {
      given = Registered.biFunction(given);
    }
  }

  /** A {@code Consumer}. */
  static final class TwoConsumer {
    private TwoConsumer() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 2, readOnly = false) @Nullable Consumer<Object> given) {
      given = Registered.consumer(given);
    }
  }

  /** A {@code BiConsumer}. */
  static final class TwoBiConsumer {
    private TwoBiConsumer() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(value = 2, readOnly = false) @Nullable BiConsumer<Object, Object> given) {
      given = Registered.biConsumer(given);
    }
  }

  /** A {@code Runnable}. */
  static final class TwoRunnable {
    private TwoRunnable() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 2, readOnly = false) @Nullable Runnable given) {
      given = Registered.runnable(given);
    }
  }
}
