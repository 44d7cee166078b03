// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of the histograms: finding a bucket, counting a message in its cell, finding the cell.
 *
 * <p>Durations are drawn evenly over the logarithm from nanoseconds to a second, so that the branch
 * of the bucket search cannot be predicted; {@code baseline} draws one and does nothing with it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageCellBenchmark {
  private static final int DURATIONS = 4096;

  private final long[] durations = durations();
  private final ActorKind kind = ActorKinds.of("benchmark", "io.example.Actor", false);
  private final CellTable table = new CellTable();
  private final MessageCell cell = table.get(kind, String.class);
  private final Class<?>[] types = {String.class, Integer.class, Long.class, Object.class};
  private int next;

  @Benchmark
  public long baseline() {
    return nextNanos();
  }

  @Benchmark
  public int bucket() {
    return DurationBuckets.of(nextNanos());
  }

  @Benchmark
  public long add() {
    long nanos = nextNanos();
    cell.add(nanos, nanos);
    return nanos;
  }

  @Benchmark
  public Object find() {
    return table.get(kind, types[next++ & 3]);
  }

  private long nextNanos() {
    return durations[next++ & (DURATIONS - 1)];
  }

  private static long[] durations() {
    SplittableRandom random = new SplittableRandom(1);
    long[] nanos = new long[DURATIONS];
    for (int i = 0; i < DURATIONS; i++) {
      nanos[i] = (long) Math.exp(random.nextDouble() * Math.log(1e9));
    }
    return nanos;
  }
}
