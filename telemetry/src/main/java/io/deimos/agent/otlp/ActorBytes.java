// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.span.SpanForm;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClasses;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import org.jspecify.annotations.Nullable;

/**
 * An actor's part of the spans of the messages it processes and of those it sent, or to those of
 * the asks that went to it, encoded. Immutable.
 */
final class ActorBytes {
  static final ActorBytes NONE = new ActorBytes(0, null, null, false);

  final int id;

  /** The name of a span of a message or an ask to it, where spans are named so; else empty. */
  final byte[] name;

  /** Its attributes that stand before {@code pekko.mailbox.wait}; attributes are sorted by key. */
  final byte[] head;

  /** Those that stand behind {@code pekko.sender.path}. */
  final byte[] tail;

  /** The attribute of the messages it sent. */
  final byte[] sender;

  private final @Nullable ActorKind kind;
  private final boolean isSilent;

  private ActorBytes(
      int id, @Nullable ActorKind kind, @Nullable ActorTelemetry actor, boolean isAsked) {
    this.id = id;
    this.kind = kind;
    this.isSilent = kind != null && kind.isSilent();
    name =
        actor != null && SpanForm.exported().isByDestination()
            ? Proto.field(
                MessageBytes.SPAN_NAME,
                SpanForm.exported().name(isAsked, MessageClasses.OTHER, actor.path()))
            : new byte[0];
    Attributes own = isAsked ? asked(actor) : processed(actor, null);
    head = EncodedAttributes.before(RecordAttributes.MAILBOX_WAIT, own);
    tail = EncodedAttributes.after(RecordAttributes.SENDER_PATH, own);
    sender =
        isAsked
            ? new byte[0]
            : EncodedAttributes.only(RecordAttributes.SENDER_PATH, processed(null, actor));
  }

  /** The part for messages. */
  static ActorBytes processed(ActorTelemetry actor) {
    return new ActorBytes(actor.id(), actor.kind(), actor, false);
  }

  /** The part for asks, without {@link #sender}. */
  static ActorBytes asks(ActorTelemetry actor) {
    return new ActorBytes(actor.id(), actor.kind(), actor, true);
  }

  private static Attributes processed(
      @Nullable ActorTelemetry actor, @Nullable ActorTelemetry sender) {
    AttributesBuilder to = Attributes.builder();
    RecordAttributes.processed(to, MessageClasses.OTHER, actor, sender, 0, null);
    return to.build();
  }

  private static Attributes asked(@Nullable ActorTelemetry actor) {
    AttributesBuilder to = Attributes.builder();
    RecordAttributes.asked(to, MessageClasses.OTHER, actor, null);
    return to.build();
  }

  /** False once a typed actor's class is known, or a setting shows or hides Pekko's own actors. */
  boolean isOf(ActorTelemetry actor) {
    ActorKind now = actor.kind();
    return id == actor.id() && kind == now && isSilent == now.isSilent();
  }

  int size() {
    return name.length + head.length + tail.length + sender.length;
  }
}
