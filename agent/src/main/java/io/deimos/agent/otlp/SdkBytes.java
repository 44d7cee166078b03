// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Bytes as the SDK's own exporter makes them. */
final class SdkBytes {
  private SdkBytes() {}

  /** A whole request with one span. */
  static byte[] request(SpanData span) {
    ByteArrayOutputStream to = new ByteArrayOutputStream(1024);
    try {
      TraceRequestMarshaler.create(List.of(span)).writeBinaryTo(to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return to.toByteArray();
  }

  /** Goes to the span in what {@link #request} returned. */
  static ProtoFields span(byte[] request) {
    ProtoFields top = new ProtoFields(request, 0, request.length);
    if (top.find(RequestFrame.RESOURCE_SPANS)) {
      ProtoFields resource = top.inside();
      if (resource.find(RequestFrame.SCOPE_SPANS)) {
        ProtoFields scope = resource.inside();
        if (scope.find(RequestFrame.SPANS)) {
          return scope;
        }
      }
    }
    throw new IllegalStateException("the SDK's request has no span");
  }
}
