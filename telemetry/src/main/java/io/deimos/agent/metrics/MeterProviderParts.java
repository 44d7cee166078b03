// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.internal.export.RegisteredReader;
import io.opentelemetry.sdk.metrics.internal.state.MeterProviderSharedState;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a meter provider. The SDK keeps it private, so this is reflection: it is the only
 * way to tell one reader from another, however the SDK is configured.
 */
final class MeterProviderParts {
  private final SdkMeterProvider provider;

  MeterProviderParts(SdkMeterProvider provider) {
    this.provider = provider;
  }

  List<RegisteredReader> readers() throws ReflectiveOperationException {
    List<RegisteredReader> readers = new ArrayList<>();
    for (Object reader : (List<?>) field("registeredReaders")) {
      readers.add((RegisteredReader) reader);
    }
    return readers;
  }

  MeterProviderSharedState shared() throws ReflectiveOperationException {
    return (MeterProviderSharedState) field("sharedState");
  }

  /**
   * The producers whose metrics a reader collects: the user's producers, and the SDK's own
   * instruments.
   */
  List<MetricProducer> producers(RegisteredReader reader) throws ReflectiveOperationException {
    List<MetricProducer> producers = new ArrayList<>();
    for (Object producer : (List<?>) field("metricProducers")) {
      producers.add((MetricProducer) producer);
    }
    for (Class<?> nested : SdkMeterProvider.class.getDeclaredClasses()) {
      if (nested.getSimpleName().equals("LeasedMetricProducer")) {
        Constructor<?> constructor = nested.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        producers.add(
            (MetricProducer) constructor.newInstance(field("registry"), shared(), reader));
        return producers;
      }
    }
    throw new ClassNotFoundException("LeasedMetricProducer of SdkMeterProvider");
  }

  private Object field(String name) throws ReflectiveOperationException {
    Field field = SdkMeterProvider.class.getDeclaredField(name);
    field.setAccessible(true);
    Object value = field.get(provider);
    if (value == null) {
      throw new NoSuchFieldException(name + " of SdkMeterProvider is null");
    }
    return value;
  }
}
