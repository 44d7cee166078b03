// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one record for the thread that owns the ring: written, and dropped by a full ring.
 *
 * <p>{@code baseline} is the clock read alone, for the unit. {@code written} includes its share of
 * emptying the ring on the same thread, which a dispatcher never does: it is an upper bound. Run it
 * with {@code -prof gc}: {@code gc.alloc.rate.norm} must be 0 B/op.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RingBenchmark {
  private static final int CAPACITY = 8192;

  private final Ring ring = new Ring(CAPACITY);
  private final Ring full = new Ring(64);
  private final SpanView view = new SpanView();
  private final SpanSink sink = span -> {};
  private long number;

  @Setup
  public void fill() {
    while (write(full)) {
      number++;
    }
  }

  @Benchmark
  public long baseline() {
    return System.nanoTime();
  }

  @Benchmark
  public boolean written() {
    boolean written = write(ring);
    if (!written) {
      ring.drain(view, sink, CAPACITY);
    }
    return written;
  }

  @Benchmark
  public boolean dropped() {
    return write(full);
  }

  private boolean write(Ring to) {
    long n = ++number;
    return to.tryWrite(n, n, n, 0, n, n, 100, 1, 0, 0, null);
  }
}
