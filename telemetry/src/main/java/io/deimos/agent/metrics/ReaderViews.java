// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Scope;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.InstrumentValueType;
import io.opentelemetry.sdk.metrics.View;
import io.opentelemetry.sdk.metrics.internal.descriptor.Advice;
import io.opentelemetry.sdk.metrics.internal.descriptor.InstrumentDescriptor;
import io.opentelemetry.sdk.metrics.internal.export.RegisteredReader;
import io.opentelemetry.sdk.metrics.internal.view.RegisteredView;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Our histograms as one reader is to get them. The SDK itself says which views there are for an
 * instrument of that name, kind and scope; what is in them it keeps private, so some of this is
 * reflection.
 */
final class ReaderViews {
  private ReaderViews() {}

  /** One stream for each histogram and view, but for those that a view drops. */
  static List<HistogramStream> of(RegisteredReader reader) throws ReflectiveOperationException {
    List<HistogramStream> streams = new ArrayList<>();
    for (Histogram histogram : Histogram.all()) {
      InstrumentDescriptor instrument =
          InstrumentDescriptor.create(
              histogram.id(),
              histogram.description(),
              histogram.unit(),
              InstrumentType.HISTOGRAM,
              InstrumentValueType.DOUBLE,
              Advice.builder().setExplicitBucketBoundaries(histogram.usual()).build());
      for (RegisteredView view : reader.getViewRegistry().findViews(instrument, Scope.INFO)) {
        HistogramForm form = form(histogram, view.getView().getAggregation(), reader);
        if (form != null) {
          streams.add(stream(histogram, view, form, reader));
        }
      }
    }
    return streams;
  }

  private static HistogramStream stream(
      Histogram histogram, RegisteredView registered, HistogramForm form, RegisteredReader reader) {
    View view = registered.getView();
    String name = view.getName();
    String description = view.getDescription();
    return new HistogramStream(
        histogram,
        name == null ? histogram.id() : name,
        description == null ? histogram.description() : description,
        registered.getAttributesFilter(),
        form,
        reader.getReader().getAggregationTemporality(InstrumentType.HISTOGRAM));
  }

  private static @Nullable HistogramForm form(
      Histogram histogram, Aggregation wanted, RegisteredReader reader)
      throws ReflectiveOperationException {
    return switch (wanted.getClass().getSimpleName()) {
      case "DropAggregation" -> null;
      case "SumAggregation" -> new HistogramForm.Sum();
      case "Base2ExponentialHistogramAggregation" ->
          histogram.isOfDurations()
              ? new HistogramForm.Exponential(
                  (int) field(wanted, "maxBuckets"), (int) field(wanted, "maxScale"))
              : new HistogramForm.Explicit(histogram.usual());
      case "ExplicitBucketHistogramAggregation" -> explicit(wanted);
      default -> byDefault(histogram, reader);
    };
  }

  /** A view that says nothing of the aggregation: what the reader has for histograms. */
  private static @Nullable HistogramForm byDefault(Histogram histogram, RegisteredReader reader)
      throws ReflectiveOperationException {
    Aggregation of = reader.getReader().getDefaultAggregation(InstrumentType.HISTOGRAM);
    boolean isUsual =
        of.equals(Aggregation.defaultAggregation())
            || of.equals(Aggregation.explicitBucketHistogram());
    return isUsual ? new HistogramForm.Explicit(histogram.usual()) : form(histogram, of, reader);
  }

  private static HistogramForm explicit(Aggregation wanted) throws ReflectiveOperationException {
    List<Double> bounds = new ArrayList<>();
    for (Object bound : (List<?>) field(wanted, "bucketBoundaries")) {
      bounds.add((Double) bound);
    }
    return new HistogramForm.Explicit(List.copyOf(bounds));
  }

  private static Object field(Aggregation of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    Object value = field.get(of);
    if (value == null) {
      throw new NoSuchFieldException(name);
    }
    return value;
  }
}
