// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.woven.RefFields;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of an ask from its beginning to its end, while some are open, without the page and with
 * it. {@code full} is with more open asks than the page keeps.
 *
 * <p>Run it with {@code -prof gc}, and with {@code -t 2}. Nobody drains, see {@link
 * HooksBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class AskBenchmark {
  private static final int OPEN = 64;
  private static final long TIMEOUT_NANOS = 5_000_000_000L;

  /** Whether open asks are kept, and whether there is room for them. */
  @Param({"off", "page", "full"})
  public String kept = "";

  private final @Nullable Object[] open = new @Nullable Object[OPEN];
  private int next;

  /** Fills the table if that is wanted. */
  @Setup
  public void fill() {
    if (!kept.equals("off")) {
      OpenAsks.keep();
    }
    for (int i = 0; kept.equals("full") && i < 4 * OpenAsks.CAPACITY; i++) {
      begin();
    }
  }

  private static @Nullable Object begin() {
    Promise promise = new Promise();
    AskHooks.created(promise, null);
    Frame frame = AskHooks.send(AskHooks.ASK, promise.identity, "target", "request", TIMEOUT_NANOS);
    if (frame != null) {
      AskHooks.sent(frame);
    }
    return promise.identity;
  }

  /** Asks, and has the answer to an earlier ask. */
  @Benchmark
  public @Nullable Object ask() {
    int at = next++ & (OPEN - 1);
    AskHooks.ended(open[at], null, null);
    open[at] = begin();
    return open[at];
  }

  /** As Pekko's temporary actor is woven. */
  private static final class Promise implements RefFields {
    private @Nullable Object identity;

    @Override
    @SuppressWarnings("MemberName")
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    @SuppressWarnings("MemberName")
    public void deimos$identity(@Nullable Object is) {
      identity = is;
    }
  }
}
