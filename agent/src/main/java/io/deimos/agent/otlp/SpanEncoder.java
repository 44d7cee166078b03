// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.export.ExportedSpan;
import io.deimos.agent.span.MessageEvents;
import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.agent.span.SpanForm;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;

/**
 * Turns records into OTLP spans. A plain record's span is copied together from what is already
 * encoded; any other goes through the SDK, as on the way through a span processor. Nothing is
 * allocated for a plain one whose actors and message class are known.
 *
 * <p><b>Threads.</b> The drainer's alone: {@link #prepare} says how many bytes a span takes, {@link
 * #write} writes that span.
 *
 * <p><b>Order.</b> Fields and attributes stand in the order that the SDK gives them.
 */
final class SpanEncoder {
  private static final byte TRACE_ID = 0x0a;
  private static final byte SPAN_ID = 0x12;
  private static final byte PARENT_ID = 0x22;
  private static final byte KIND = 0x30;
  private static final byte START = 0x39;
  private static final byte END = 0x41;
  private static final byte EVENT = 0x5a;
  private static final byte EVENT_TIME = 0x09;
  private static final int EVENT_NAME = 2;

  /**
   * A status that is not set, as the SDK writes it; the tag of the flags, then "sampled" and "it is
   * known whether the parent is remote".
   */
  private static final byte[] STATUS_AND_FLAGS = {0x7a, 0, (byte) 0x85, 0x01, 0x01, 0x01, 0, 0};

  private static final byte[] WAIT = Proto.attributeUpToValue(RecordAttributes.MAILBOX_WAIT);
  private static final byte[] WAITING = Proto.field(EVENT_NAME, EventName.WAITING.id());
  private static final byte[] MESSAGE = Proto.field(EVENT_NAME, EventName.MESSAGE.id());

  private static final int TRACE_ID_BYTES = 2 + 16;
  private static final int SPAN_ID_BYTES = 2 + 8;
  private static final int TIME_BYTES = 1 + 8;
  private static final int KIND_BYTES = 2;
  private static final int EVENTS_BYTES = 2 * (2 + TIME_BYTES) + WAITING.length + MESSAGE.length;

  private static final int FIXED_BYTES =
      TRACE_ID_BYTES
          + SPAN_ID_BYTES
          + KIND_BYTES
          + 2 * TIME_BYTES
          + WAIT.length
          + Double.BYTES
          + EVENTS_BYTES
          + STATUS_AND_FLAGS.length;

  private final Resource resource;
  private final SpanLimits limits;
  private final EncodedNames names = new EncodedNames();
  private ActorBytes actor = ActorBytes.NONE;
  private ActorBytes sender = ActorBytes.NONE;
  private MessageBytes message = new MessageBytes(io.deimos.recorder.actors.MessageClasses.OTHER);
  private boolean plain;
  private int spanBytes;
  private byte[] request = {};
  private int requestFrom;
  private boolean events;
  private final SpanForm form = SpanForm.exported();
  private final byte kind = kind(form.kind());

  SpanEncoder(Resource resource, SpanLimits limits) {
    this.resource = resource;
    this.limits = limits;
  }

  /** As OTLP numbers them. */
  private static byte kind(SpanKind kind) {
    return switch (kind) {
      case INTERNAL -> 1;
      case SERVER -> 2;
      case CLIENT -> 3;
      case PRODUCER -> 4;
      case CONSUMER -> 5;
    };
  }

  /** Whether these limits leave a plain span as it is. */
  static boolean leavesPlainSpans(SpanLimits limits) {
    return limits.getMaxNumberOfAttributes() >= 10
        && limits.getMaxNumberOfEvents() >= 2
        && limits.getMaxAttributeValueLength() == Integer.MAX_VALUE;
  }

  /** Returns how many bytes {@link #write} will write. */
  int prepare(SpanView span) {
    plain = span.rare() == null && !span.isAsk();
    return plain ? preparePlain(span) : prepareOther(span);
  }

  private int preparePlain(SpanView span) {
    events = MessageEvents.areOn(span.actor());
    actor = names.of(span.actor());
    sender = names.of(span.sender());
    message = names.of(span.message());
    spanBytes =
        FIXED_BYTES
            - (events ? 0 : EVENTS_BYTES)
            + (span.parentId() == 0 ? 0 : SPAN_ID_BYTES)
            + name().length
            + message.attribute.length
            + actor.head.length
            + actor.tail.length
            + sender.sender.length;
    return 1 + Proto.varintBytes(spanBytes) + spanBytes;
  }

  private int prepareOther(SpanView span) {
    request =
        SdkBytes.request(
            new ExportedSpan(PlainSpan.of(RecordedSpan.exported(span, resource)), limits));
    ProtoFields found = SdkBytes.span(request);
    requestFrom = found.start();
    spanBytes = found.end() - found.start();
    return spanBytes;
  }

  /** Writes the span that {@link #prepare} was called with last. */
  void write(SpanView span, Batch batch, long nowNanos) {
    int end = batch.end();
    if (plain) {
      end = writePlain(span, batch.bytes, end);
    } else {
      System.arraycopy(request, requestFrom, batch.bytes, end, spanBytes);
      end += spanBytes;
    }
    batch.added(end, nowNanos);
  }

  private int writePlain(SpanView span, byte[] to, int from) {
    long sent = span.sent();
    long start = span.start();
    long sentEpochNanos = Clock.epochNanos(sent);
    int at = from;
    to[at++] = (byte) Proto.tag(RequestFrame.SPANS, Proto.LENGTH_DELIMITED);
    at = Proto.varint(to, at, spanBytes);
    at = ids(span, to, at);
    at = copy(name(), to, at);
    to[at++] = KIND;
    to[at++] = kind;
    at = time(START, form.isFromTakeOut() ? Clock.epochNanos(start) : sentEpochNanos, to, at);
    at = time(END, Clock.epochNanos(span.end()), to, at);
    at = copy(actor.head, to, at);
    at = copy(WAIT, to, at);
    Proto.fixed64(to, at, Double.doubleToRawLongBits((start - sent) / 1e9));
    at += Double.BYTES;
    at = copy(message.attribute, to, at);
    at = copy(sender.sender, to, at);
    at = copy(actor.tail, to, at);
    if (events) {
      at = event(sentEpochNanos, WAITING, to, at);
      at = event(Clock.epochNanos(start), MESSAGE, to, at);
    }
    return copy(STATUS_AND_FLAGS, to, at);
  }

  private byte[] name() {
    return actor.name.length == 0 ? message.name : actor.name;
  }

  private static int ids(SpanView span, byte[] to, int from) {
    int at = from;
    to[at] = TRACE_ID;
    to[at + 1] = 16;
    Proto.id(to, at + 2, span.traceHi());
    Proto.id(to, at + 10, span.traceLo());
    at += TRACE_ID_BYTES;
    to[at] = SPAN_ID;
    to[at + 1] = 8;
    Proto.id(to, at + 2, span.spanId());
    at += SPAN_ID_BYTES;
    long parent = span.parentId();
    if (parent != 0) {
      to[at] = PARENT_ID;
      to[at + 1] = 8;
      Proto.id(to, at + 2, parent);
      at += SPAN_ID_BYTES;
    }
    return at;
  }

  private static int event(long epochNanos, byte[] name, byte[] to, int at) {
    to[at] = EVENT;
    to[at + 1] = (byte) (TIME_BYTES + name.length);
    return copy(name, to, time(EVENT_TIME, epochNanos, to, at + 2));
  }

  private static int time(byte tag, long epochNanos, byte[] to, int at) {
    to[at] = tag;
    Proto.fixed64(to, at + 1, epochNanos);
    return at + TIME_BYTES;
  }

  private static int copy(byte[] from, byte[] to, int at) {
    System.arraycopy(from, 0, to, at, from.length);
    return at + from.length;
  }
}
