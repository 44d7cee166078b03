// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.trace.Trace;
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
 * The table of the article about Phobos 2.5: the span of a message that begins a trace, continues
 * one, and continues one with baggage, for a primitive, an object of a class with a {@code
 * toString}, and a record. A span here is what the actor pays for it: its record in the ring.
 * Rendering the message, in which the kinds differ there, happens here only if the user asks for
 * it.
 *
 * <p>Run it with {@code -prof gc}. Nobody drains, see {@link HooksBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageKindsBenchmark {
  /** The guard ends a trace with very many spans, so there is a new one after so many. */
  private static final int SPANS_PER_TRACE = 1000;

  private static final int SECOND_SHIFT = 32;

  /** The kind of the message. */
  @Param({"primitive", "class", "record"})
  public String kind = "";

  private final ActorTelemetry actor =
      Actors.register("/user/a", ActorKinds.of("benchmark", "io.example.Actor", false));
  private final WovenEnvelope envelope = new WovenEnvelope();
  private final Object baggage = new Object();
  private Object message = "";
  private Trace trace = begun(null);
  private int spans;

  /** Makes the message. */
  @Setup
  public void make() {
    message =
        switch (kind) {
          case "primitive" -> 42;
          case "class" -> new Order(42, "a book");
          default -> new Placed(42, "a book");
        };
  }

  private static Trace begun(@Nullable Object base) {
    return new Trace((System.currentTimeMillis() / 1000) << SECOND_SHIFT, 42, true, base);
  }

  /** A message from outside. */
  @Benchmark
  public Object root() {
    Hooks.send(envelope);
    return process();
  }

  /** A message that an actor sent while it processed another. */
  @Benchmark
  public Object child() {
    return inTrace(null);
  }

  /** The same in a trace with baggage; the context of OpenTelemetry is an object here. */
  @Benchmark
  public Object childWithBaggage() {
    return inTrace(baggage);
  }

  private Object inTrace(@Nullable Object base) {
    if (++spans % SPANS_PER_TRACE == 1) {
      trace = begun(base);
    }
    envelope.deimos$sent(trace, 4711, Clock.now());
    return process();
  }

  private Object process() {
    Frame state = Hooks.begin(actor, envelope, message, null, null);
    Hooks.end(state);
    return state;
  }

  /** As an application's class. */
  private static final class Order {
    private final int id;
    private final String article;

    Order(int id, String article) {
      this.id = id;
      this.article = article;
    }

    @Override
    public String toString() {
      return "Order " + id + ": " + article;
    }
  }

  private record Placed(int id, String article) {}
}
