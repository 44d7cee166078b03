// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.actors.Sampling;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.reflect.Field;

/**
 * Translates OpenTelemetry's samplers into the recorder's {@link Sampling}, which decides as they
 * would and need not ask them. A sampler that is not OpenTelemetry's own is asked for each trace
 * that begins in an actor.
 */
public final class SamplerTranslator {
  private static final String PACKAGE = "io.opentelemetry.sdk.trace.samplers.";

  private SamplerTranslator() {}

  /** How a trace without a parent is sampled by this sampler. */
  public static Sampling sampling(Sampler sampler) {
    try {
      return switch (sampler.getClass().getName()) {
        case PACKAGE + "AlwaysOnSampler" -> new Sampling(Sampling.ALWAYS, 0);
        case PACKAGE + "AlwaysOffSampler" -> new Sampling(Sampling.NEVER, 0);
        case PACKAGE + "ParentBasedSampler" -> sampling((Sampler) field(sampler, "root"));
        case PACKAGE + "TraceIdRatioBasedSampler" ->
            new Sampling(Sampling.RATIO, (long) field(sampler, "idUpperBound"));
        default -> new Sampling(Sampling.CUSTOM, 0);
      };
    } catch (ReflectiveOperationException | RuntimeException e) {
      return new Sampling(Sampling.CUSTOM, 0);
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
