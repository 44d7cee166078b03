// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Spans of one trace, as another program sends them over OTLP. */
final class SentSpans {
  static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static final Resource OTHER =
      Resource.create(
          Attributes.of(
              AttributeKey.stringKey("service.name"),
              "other",
              AttributeKey.longKey("process.pid"),
              5L));

  private SentSpans() {}

  static SpanData span(int id) {
    long now = System.currentTimeMillis() * 1_000_000;
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName("span " + id)
        .setKind(SpanKind.SERVER)
        .setStatus(StatusData.unset())
        .setResource(OTHER)
        .setSpanContext(
            SpanContext.create(
                TRACE, "%016x".formatted(id), TraceFlags.getSampled(), TraceState.getDefault()))
        .setStartEpochNanos(now)
        .setEndEpochNanos(now + 1000)
        .build();
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
