// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Bytes as the SDK's own exporter makes them, in a buffer that is used again. One thread's at a
 * time.
 */
final class SdkBytes extends ByteArrayOutputStream {
  /** The room that a larger request needed is not kept. */
  private static final int MAX_KEPT = 1 << 16;

  SdkBytes() {
    super(1024);
  }

  /** Makes a whole request with one span; {@link #bytes} has it until the next. */
  void request(SpanData span) {
    reset();
    if (buf.length > MAX_KEPT) {
      buf = new byte[1024];
    }
    try {
      TraceRequestMarshaler.create(List.of(span)).writeBinaryTo(this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] bytes() {
    return buf;
  }

  /** All of the request. */
  ProtoFields fields() {
    return new ProtoFields(buf, 0, count);
  }

  /** Goes to the span in the request. */
  ProtoFields span() {
    ProtoFields top = fields();
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
