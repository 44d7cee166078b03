// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function that was given to a {@link java.util.concurrent.CompletableFuture}, with the context
 * in which that was done: it runs in this one, whoever completes the future, and in none if there
 * was none.
 *
 * <p><b>Threads.</b> Written only while it is made; the future orders that and its running.
 */
public abstract class Registered implements ContextFields {
  private @Nullable Trace trace;
  private long parent;

  private Registered() {}

  private static <R extends Registered> R here(R made) {
    ContextHooks.register(made);
    return made;
  }

  @Override
  public final @Nullable Trace deimos$trace() {
    return trace;
  }

  @Override
  public final long deimos$parent() {
    return parent;
  }

  @Override
  public final void deimos$context(@Nullable Trace registeredIn, long registeredBy) {
    trace = registeredIn;
    parent = registeredBy;
  }

  private static void ran(@Nullable Frame frame) {
    if (frame != null) {
      ContextHooks.ran(frame);
    }
  }

  // -- called by woven code; null is the future's own to refuse ---------------------------------

  public static <T, R> @Nullable Function<T, R> function(@Nullable Function<T, R> function) {
    return function == null || !Parts.stages ? function : here(new OfFunction<>(function));
  }

  public static <T, U, R> @Nullable BiFunction<T, U, R> biFunction(
      @Nullable BiFunction<T, U, R> function) {
    return function == null || !Parts.stages ? function : here(new OfBiFunction<>(function));
  }

  public static <T> @Nullable Consumer<T> consumer(@Nullable Consumer<T> consumer) {
    return consumer == null || !Parts.stages ? consumer : here(new OfConsumer<>(consumer));
  }

  public static <T, U> @Nullable BiConsumer<T, U> biConsumer(@Nullable BiConsumer<T, U> consumer) {
    return consumer == null || !Parts.stages ? consumer : here(new OfBiConsumer<>(consumer));
  }

  public static @Nullable Runnable runnable(@Nullable Runnable runnable) {
    return runnable == null || !Parts.stages ? runnable : here(new OfRunnable(runnable));
  }

  private static final class OfFunction<T, R> extends Registered implements Function<T, R> {
    private final Function<T, R> function;

    OfFunction(Function<T, R> function) {
      this.function = function;
    }

    @Override
    public R apply(T value) {
      Frame frame = ContextHooks.run(this);
      try {
        return function.apply(value);
      } finally {
        ran(frame);
      }
    }
  }

  private static final class OfBiFunction<T, U, R> extends Registered
      implements BiFunction<T, U, R> {
    private final BiFunction<T, U, R> function;

    OfBiFunction(BiFunction<T, U, R> function) {
      this.function = function;
    }

    @Override
    public R apply(T value, U other) {
      Frame frame = ContextHooks.run(this);
      try {
        return function.apply(value, other);
      } finally {
        ran(frame);
      }
    }
  }

  private static final class OfConsumer<T> extends Registered implements Consumer<T> {
    private final Consumer<T> consumer;

    OfConsumer(Consumer<T> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void accept(T value) {
      Frame frame = ContextHooks.run(this);
      try {
        consumer.accept(value);
      } finally {
        ran(frame);
      }
    }
  }

  private static final class OfBiConsumer<T, U> extends Registered implements BiConsumer<T, U> {
    private final BiConsumer<T, U> consumer;

    OfBiConsumer(BiConsumer<T, U> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void accept(T value, U other) {
      Frame frame = ContextHooks.run(this);
      try {
        consumer.accept(value, other);
      } finally {
        ran(frame);
      }
    }
  }

  private static final class OfRunnable extends Registered implements Runnable {
    private final Runnable runnable;

    OfRunnable(Runnable runnable) {
      this.runnable = runnable;
    }

    @Override
    public void run() {
      Frame frame = ContextHooks.run(this);
      try {
        runnable.run();
      } finally {
        ran(frame);
      }
    }
  }
}
