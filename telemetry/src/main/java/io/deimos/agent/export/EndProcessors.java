// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.tail.TailSampler;
import io.deimos.recorder.base.Faults;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SDK's span processors that want finished spans, ours left out. The SDK keeps them private, so
 * this is reflection; where it fails there is nothing to hand spans to, and that is said.
 */
public final class EndProcessors {
  static final int DEFAULT_QUEUE = 2048;

  private EndProcessors() {}

  /** The processors that any exporter may stand behind. */
  public static List<SpanProcessor> of(SdkTracerProvider provider)
      throws ReflectiveOperationException {
    List<SpanProcessor> found = new ArrayList<>();
    collect(active(provider), found);
    return List.copyOf(found);
  }

  /**
   * Has what ends from now on go through tail sampling on its way to the processors that export.
   *
   * @return false if the SDK hands spans to one processor alone, in whose place nothing can be put
   */
  public static boolean hold(SdkTracerProvider provider, TailSampler tail)
      throws ReflectiveOperationException {
    SpanProcessor active = active(provider);
    if (!isSeveral(active)) {
      return active instanceof StoreProcessor || !active.isEndRequired(); // nothing is exported
    }
    @SuppressWarnings("unchecked") // as the SDK declares it
    List<SpanProcessor> ends = (List<SpanProcessor>) field(active, "spanProcessorsEnd");
    List<SpanProcessor> held = new ArrayList<>();
    for (SpanProcessor each : ends) {
      if (!(each instanceof StoreProcessor)) {
        held.add(each);
      }
    }
    // Set and not removed: a thread may be at it.
    SpanProcessor instead = new TailGate(List.copyOf(held), tail);
    for (int i = 0; i < ends.size(); i++) {
      if (!(ends.get(i) instanceof StoreProcessor)) {
        ends.set(i, instead);
        instead = SpanProcessor.composite();
      }
    }
    return true;
  }

  private static SpanProcessor active(SdkTracerProvider provider)
      throws ReflectiveOperationException {
    Object shared = field(provider, "sharedState");
    Method active = shared.getClass().getDeclaredMethod("getActiveSpanProcessor");
    active.setAccessible(true);
    return (SpanProcessor) active.invoke(shared);
  }

  private static boolean isSeveral(SpanProcessor processor) {
    return processor.getClass().getSimpleName().equals("MultiSpanProcessor");
  }

  /** The resource that the SDK puts on every span. */
  public static Resource resource(SdkTracerProvider provider) throws ReflectiveOperationException {
    Object shared = field(provider, "sharedState");
    return (Resource) field(shared, "resource");
  }

  private static void collect(SpanProcessor processor, List<SpanProcessor> to)
      throws ReflectiveOperationException {
    if (isSeveral(processor)) {
      for (Object each : (List<?>) field(processor, "spanProcessorsAll")) {
        collect((SpanProcessor) each, to);
      }
    } else if (processor.isEndRequired() && !(processor instanceof StoreProcessor)) {
      to.add(processor);
    }
  }

  /** The smallest queue among batch processors; {@value #DEFAULT_QUEUE} where it is not told. */
  public static int queueSize(List<SpanProcessor> processors) {
    int least = DEFAULT_QUEUE;
    for (SpanProcessor processor : processors) {
      if (processor.getClass().getSimpleName().equals("BatchSpanProcessor")) {
        try {
          Object size = field(field(processor, "worker"), "maxQueueSize");
          least = Math.min(least, ((Number) size).intValue());
        } catch (ReflectiveOperationException | RuntimeException e) {
          Faults.caught(e);
        }
      }
    }
    return least;
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    @Nullable Object value = field.get(of);
    if (value == null) {
      throw new NoSuchFieldException(name + " of " + of.getClass().getName() + " is null");
    }
    return value;
  }
}
