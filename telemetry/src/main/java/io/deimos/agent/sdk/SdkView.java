// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.export.EndProcessors;
import io.deimos.agent.log.Problems;
import io.deimos.agent.tail.TailSampler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;

/**
 * The parts of the configured SDK that we need.
 *
 * @param processors where finished spans go, ours left out
 */
public record SdkView(List<SpanProcessor> processors, Resource resource, SpanLimits limits) {
  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");

  public static SdkView of(SdkTracerProvider provider, Problems problems) {
    List<SpanProcessor> processors = List.of();
    Resource resource = Resource.getDefault();
    try {
      processors = EndProcessors.of(provider);
      resource = EndProcessors.resource(provider);
    } catch (ReflectiveOperationException | RuntimeException e) {
      problems.failed("export of actors' spans, for which this version of the SDK is not made,", e);
    }
    return new SdkView(processors, resource, provider.getSpanLimits());
  }

  /**
   * Has the spans of other instrumentations share the fate of their traces.
   *
   * @param isWanted whether it is worth a line if that cannot be
   */
  public static void hold(
      SdkTracerProvider provider, TailSampler tail, boolean isWanted, Problems problems) {
    try {
      if (!EndProcessors.hold(provider, tail) && isWanted) {
        problems.accept(
            "tail sampling decides for the spans of actors alone; those of other instrumentations"
                + " are all exported. To hold these, too, it needs an SDK that is configured by"
                + " OTEL_* variables, or by a file in a form that is known: use deimos.jar");
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      problems.failed("holding back the spans of other instrumentations", e);
    }
  }

  /**
   * A resource with the one attribute that everybody looks for, where all that makes the others may
   * be what fails.
   */
  static Resource namedByUser() {
    String given = System.getProperty("otel.service.name", System.getenv("OTEL_SERVICE_NAME"));
    return given == null || given.isBlank()
        ? Resource.getDefault()
        : Resource.getDefault().merge(Resource.create(Attributes.of(SERVICE_NAME, given.strip())));
  }

  public String serviceName() {
    String name = resource.getAttribute(SERVICE_NAME);
    return name == null ? "unknown_service:java" : name;
  }
}
