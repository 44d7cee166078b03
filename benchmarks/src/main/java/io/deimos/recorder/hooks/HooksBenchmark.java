// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.context.Frame;
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
 * The cost of woven code without Pekko around it: capturing the context at a send, outside an actor
 * and inside one, and a message from send to end. {@code baseline} is one clock read.
 *
 * <p>Nobody drains here, so after the first records the ring is full and drops: the ring's own cost
 * is in {@link RingBenchmark}. Run it with {@code -prof gc}: all must be 0 B/op but {@code
 * messageThatSends}, which may make one object for the trace that begins there.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HooksBenchmark {
  private final WovenEnvelope envelope = new WovenEnvelope();
  private final WovenEnvelope inner = new WovenEnvelope();
  private final ActorTelemetry actor =
      Actors.register("/user/a", ActorKinds.of("benchmark", "io.example.Actor", false));

  @Benchmark
  public long baseline() {
    return System.nanoTime();
  }

  /** Outside an actor: no context to hand on. */
  @Benchmark
  public Object send() {
    Hooks.send(envelope);
    return envelope;
  }

  /** A message from send to end, processed by an actor that does nothing. */
  @Benchmark
  public Object message() {
    Hooks.send(envelope);
    Frame state = Hooks.begin(actor, envelope, "message", null, null);
    Hooks.end(state);
    return state;
  }

  /** The same, and the actor sends one message on: its context is captured. */
  @Benchmark
  public Object messageThatSends() {
    Hooks.send(envelope);
    Frame state = Hooks.begin(actor, envelope, "message", null, null);
    Hooks.send(inner);
    Hooks.end(state);
    return inner;
  }
}
