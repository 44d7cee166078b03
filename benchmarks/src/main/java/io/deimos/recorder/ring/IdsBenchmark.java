// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.context.ThreadState;
import java.util.concurrent.ThreadLocalRandom;
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
 * The cost of an identifier: from the thread's own lane, from the JDK's per-thread generator, which
 * the SDK uses, and from the lane after looking up the thread's state.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class IdsBenchmark {
  private final Lane lane = new Lane(RecorderConfig.DEFAULT, 42);

  @Benchmark
  public long lane() {
    return lane.nextId();
  }

  @Benchmark
  public long threadLocalRandom() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Benchmark
  public long lookedUp() {
    return ThreadState.currentOrNew().nextId();
  }
}
