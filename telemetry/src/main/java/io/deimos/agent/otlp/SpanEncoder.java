// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.control.MessageEvents;
import io.deimos.agent.export.ExportedSpan;
import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.agent.span.SpanForm;
import io.deimos.agent.span.SpanType;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import org.jspecify.annotations.Nullable;

/**
 * Turns records into OTLP spans. Those of messages and asks are copied together from what is
 * already encoded, with the link that a trace may begin with; what failed, was edited or is about
 * something else goes through the SDK, as on the way through a span processor. Nothing is allocated
 * for a message with nothing beside its record whose actors and class are known.
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

  static final int TRACE_ID_BYTES = 2 + 16;
  static final int SPAN_ID_BYTES = 2 + 8;
  private static final int TIME_BYTES = 1 + 8;
  private static final int KIND_BYTES = 2;
  private static final int EVENTS_BYTES = 2 * (2 + TIME_BYTES) + WAITING.length + MESSAGE.length;

  private static final int FIXED_BYTES =
      TRACE_ID_BYTES + SPAN_ID_BYTES + KIND_BYTES + 2 * TIME_BYTES + STATUS_AND_FLAGS.length;

  private static final int WAIT_BYTES = WAIT.length + Double.BYTES;
  private static final byte[] NOTHING = {};

  private final SpanLimits limits;
  private final EncodedNames names = new EncodedNames();
  private final SdkBytes sdk = new SdkBytes();
  private final SpanForm form = SpanForm.exported();
  private final byte messageKind = kind(form.kind());
  private final byte askKind = kind(SpanType.ASK.kind());

  private boolean throughSdk;
  private int sdkFrom;
  private int spanBytes;
  private boolean isAsk;
  private boolean events;
  private byte[] name = NOTHING;
  private ActorBytes actor = ActorBytes.NONE;
  private byte[] messageClass = NOTHING;
  private byte[] sender = NOTHING;
  private @Nullable Link link;
  private byte[] linkReason = NOTHING;

  SpanEncoder(SpanLimits limits) {
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
    Rare rare = span.rare();
    isAsk = span.isAsk();
    ActorTelemetry asked = isAsk ? asked(rare) : null;
    throughSdk = !isUsual(rare) || (isAsk && asked == null);
    if (throughSdk) {
      return prepareWithSdk(span);
    }
    if (asked == null) {
      prepareMessage(span, rare);
    } else {
      prepareAsk(span, asked);
    }
    link = rare == null ? null : rare.link();
    linkReason = link == null ? NOTHING : names.reason(link.reason());
    return size(span.parentId() != 0);
  }

  /** The actor of this process that was asked; null if it was none. */
  private static @Nullable ActorTelemetry asked(@Nullable Rare rare) {
    Ask ask = rare == null || rare.senderRef() != null ? null : rare.ask();
    return ask == null ? null : RecordedSpan.actor(ask.target());
  }

  /** Whether nothing stands beside the record but who sent it, what was asked and a link. */
  private static boolean isUsual(@Nullable Rare rare) {
    return rare == null
        || (rare.error() == null
            && rare.userSpan() == null
            && !rare.stashed()
            && rare.incidents().isEmpty()
            && rare.operation() == null
            && rare.content() == null
            && rare.bufferedNanos() == 0
            && rare.stated() == null);
  }

  private void prepareMessage(SpanView span, @Nullable Rare rare) {
    MessageBytes message = names.of(span.message());
    events = MessageEvents.areOn(span.actor());
    actor = names.of(span.actor());
    name = actor.name.length == 0 ? message.name : actor.name;
    messageClass = message.attribute;
    sender = sender(span.sender(), rare);
  }

  private byte[] sender(@Nullable ActorTelemetry known, @Nullable Rare rare) {
    Object from = known != null || rare == null ? known : RecordedSpan.known(rare.senderRef());
    if (from instanceof String path) {
      return Proto.attribute(RecordAttributes.SENDER_PATH.getKey(), path);
    }
    return names.of((ActorTelemetry) from).sender;
  }

  private void prepareAsk(SpanView span, ActorTelemetry asked) {
    MessageBytes message = names.of(span.message());
    ActorTelemetry asker = span.sender();
    events = false;
    actor = names.asked(asked);
    name = actor.name.length == 0 ? message.askName : actor.name;
    messageClass = message.attribute;
    sender = asker == null || asker.kind().isSilent() ? NOTHING : names.of(asker).sender;
  }

  private int size(boolean hasParent) {
    spanBytes =
        FIXED_BYTES
            + (isAsk ? 0 : WAIT_BYTES)
            + (events ? EVENTS_BYTES : 0)
            + (hasParent ? SPAN_ID_BYTES : 0)
            + (link == null ? 0 : LinkBytes.size(linkReason))
            + name.length
            + messageClass.length
            + actor.head.length
            + actor.tail.length
            + sender.length;
    return 1 + Proto.varintBytes(spanBytes) + spanBytes;
  }

  /** Without the resource, which stands around the span. */
  private int prepareWithSdk(SpanView span) {
    sdk.request(
        new ExportedSpan(PlainSpan.of(RecordedSpan.exported(span, Resource.empty())), limits));
    ProtoFields found = sdk.span();
    sdkFrom = found.start();
    spanBytes = found.end() - found.start();
    return spanBytes;
  }

  /** Writes the span that {@link #prepare} was called with last. */
  void write(SpanView span, Batch batch, long nowNanos) {
    int end = batch.end();
    if (throughSdk) {
      System.arraycopy(sdk.bytes(), sdkFrom, batch.bytes, end, spanBytes);
      end += spanBytes;
    } else {
      end = writeUsual(span, batch.bytes, end);
    }
    batch.added(end, nowNanos);
  }

  private int writeUsual(SpanView span, byte[] to, int from) {
    long sent = span.sent();
    long start = span.start();
    long sentEpochNanos = Clock.epochNanos(sent);
    boolean isFromSend = isAsk || !form.isFromTakeOut();
    int at = from;
    to[at++] = (byte) Proto.tag(RequestFrame.SPANS, Proto.LENGTH_DELIMITED);
    at = Proto.varint(to, at, spanBytes);
    at = ids(span.traceHi(), span.traceLo(), span.spanId(), to, at);
    at = parent(span.parentId(), to, at);
    at = copy(name, to, at);
    to[at++] = KIND;
    to[at++] = isAsk ? askKind : messageKind;
    at = time(START, isFromSend ? sentEpochNanos : Clock.epochNanos(start), to, at);
    at = time(END, Clock.epochNanos(span.end()), to, at);
    at = copy(actor.head, to, at);
    if (!isAsk) {
      at = copy(WAIT, to, at);
      Proto.fixed64(to, at, Double.doubleToRawLongBits((start - sent) / 1e9));
      at += Double.BYTES;
    }
    at = copy(messageClass, to, at);
    at = copy(sender, to, at);
    at = copy(actor.tail, to, at);
    if (events) {
      at = event(sentEpochNanos, WAITING, to, at);
      at = event(Clock.epochNanos(start), MESSAGE, to, at);
    }
    if (link != null) {
      at = LinkBytes.write(link, linkReason, to, at);
    }
    return copy(STATUS_AND_FLAGS, to, at);
  }

  static int ids(long traceHi, long traceLo, long spanId, byte[] to, int from) {
    to[from] = TRACE_ID;
    to[from + 1] = 16;
    Proto.id(to, from + 2, traceHi);
    Proto.id(to, from + 10, traceLo);
    int at = from + TRACE_ID_BYTES;
    to[at] = SPAN_ID;
    to[at + 1] = 8;
    Proto.id(to, at + 2, spanId);
    return at + SPAN_ID_BYTES;
  }

  private static int parent(long parentId, byte[] to, int at) {
    if (parentId == 0) {
      return at;
    }
    to[at] = PARENT_ID;
    to[at + 1] = 8;
    Proto.id(to, at + 2, parentId);
    return at + SPAN_ID_BYTES;
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

  static int copy(byte[] from, byte[] to, int at) {
    System.arraycopy(from, 0, to, at, from.length);
    return at + from.length;
  }
}
