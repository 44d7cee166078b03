// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.internal.SenderUtil;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands where the builder of an exporter looks for what makes its sender, and so sees how the
 * sender is configured, and gets hold of it.
 */
final class SenderLookup implements ComponentLoader {
  private static final ComponentLoader SDK =
      ComponentLoader.forClassLoader(OtlpHttpSpanExporter.class.getClassLoader());

  private final boolean makesNone;
  private @Nullable Object sender;

  private SenderLookup(boolean makesNone) {
    this.makesNone = makesNone;
  }

  /** The configuration is seen, and no exporter is wanted. */
  private static final class SeenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Object config;

    SeenException(Object config) {
      this.config = config;
    }
  }

  /** An exporter's sender, and what the exporter counts with. */
  record Made<S>(S sender, ExporterHealth health) {}

  /** How the sender of an exporter is configured. No sender is made. */
  static <C> C config(Class<C> type, Function<ComponentLoader, SpanExporter> build) {
    try {
      throw new IllegalStateException(build.apply(new SenderLookup(true)) + " asks for no sender");
    } catch (SeenException e) {
      return type.cast(e.config);
    }
  }

  /** Builds an exporter for its sender. */
  static <S> Made<S> make(Class<S> type, Function<ComponentLoader, SpanExporter> build) {
    SenderLookup lookup = new SenderLookup(false);
    SpanExporter exporter = build.apply(lookup);
    return new Made<>(
        type.cast(Objects.requireNonNull(lookup.sender)), ExporterHealth.of(exporter));
  }

  @Override
  public <T> Iterable<T> load(Class<T> type) {
    if (type == HttpSenderProvider.class) {
      HttpSenderProvider http = this::http;
      return List.of(type.cast(http));
    }
    if (type == GrpcSenderProvider.class) {
      GrpcSenderProvider grpc = this::grpc;
      return List.of(type.cast(grpc));
    }
    return SDK.load(type);
  }

  private HttpSender http(HttpSenderConfig asked) {
    see(asked);
    HttpSender made = SenderUtil.resolveHttpSenderProvider(SDK).createSender(asked);
    sender = made;
    return made;
  }

  private GrpcSender grpc(GrpcSenderConfig asked) {
    see(asked);
    GrpcSender made = SenderUtil.resolveGrpcSenderProvider(SDK).createSender(asked);
    sender = made;
    return made;
  }

  private void see(Object asked) {
    if (makesNone) {
      throw new SeenException(asked);
    }
  }
}
