// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.recorder.trace.Link;

/** A link of ours to a span of another trace, as the SDK writes it. */
final class LinkBytes {
  private static final byte LINK = 0x6a;
  private static final int ATTRIBUTES = 4;

  /** "Sampled" and "it is known whether the parent is remote", with their tag. */
  private static final byte[] FLAGS = {0x35, 0x01, 0x01, 0, 0};

  private static final int FIXED_BYTES =
      SpanEncoder.TRACE_ID_BYTES + SpanEncoder.SPAN_ID_BYTES + FLAGS.length;

  private LinkBytes() {}

  /** A link's attribute. */
  static byte[] attribute(String key, String value) {
    return Proto.attribute(ATTRIBUTES, key, value);
  }

  /** How many bytes a link with this attribute takes. */
  static int size(byte[] attribute) {
    int inside = FIXED_BYTES + attribute.length;
    return 1 + Proto.varintBytes(inside) + inside;
  }

  /** Writes one; returns where the next byte goes. */
  static int write(Link link, byte[] attribute, byte[] to, int from) {
    to[from] = LINK;
    int at = Proto.varint(to, from + 1, FIXED_BYTES + attribute.length);
    at = SpanEncoder.ids(link.hi(), link.lo(), link.spanId(), to, at);
    at = SpanEncoder.copy(attribute, to, at);
    return SpanEncoder.copy(FLAGS, to, at);
  }
}
