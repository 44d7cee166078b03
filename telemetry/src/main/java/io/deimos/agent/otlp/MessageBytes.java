// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.span.RecordAttributes;
import io.deimos.recorder.actors.MessageClass;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/** The part of a message's class in a span, encoded. Immutable. */
final class MessageBytes {
  static final int SPAN_NAME = 5;

  /** The name of the span of a message. */
  final byte[] name;

  /** The name of the span of an ask. */
  final byte[] askName;

  /** The attributes. */
  final byte[] attribute;

  MessageBytes(MessageClass message) {
    AttributesBuilder to = Attributes.builder();
    RecordAttributes.processed(to, message, null, null, 0, null);
    name = Proto.field(SPAN_NAME, RecordAttributes.name(false, message));
    askName = Proto.field(SPAN_NAME, RecordAttributes.name(true, message));
    attribute = EncodedAttributes.only(RecordAttributes.MESSAGE_CLASS, to.build());
  }
}
