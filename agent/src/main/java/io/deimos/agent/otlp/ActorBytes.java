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
 * What an actor adds to the spans of the messages it processes and of those it sent, encoded.
 * Immutable.
 */
final class ActorBytes {
  static final ActorBytes NONE = new ActorBytes(0, null, null);

  final int id;

  /** The name of a span of a message to it, where spans are named so; else empty. */
  final byte[] name;

  /** Its attributes that stand before {@code pekko.mailbox.wait}; attributes are sorted by key. */
  final byte[] head;

  /** Those that stand behind {@code pekko.sender.path}. */
  final byte[] tail;

  /** The attribute of the messages it sent. */
  final byte[] sender;

  private final @Nullable ActorKind kind;

  ActorBytes(ActorTelemetry actor) {
    this(actor.id(), actor.kind(), actor);
  }

  private ActorBytes(int id, @Nullable ActorKind kind, @Nullable ActorTelemetry actor) {
    this.id = id;
    this.kind = kind;
    name =
        actor != null && SpanForm.exported().isByDestination()
            ? Proto.field(
                MessageBytes.SPAN_NAME,
                SpanForm.exported().name(false, MessageClasses.OTHER, actor.path()))
            : new byte[0];
    Attributes processing = attributes(actor, null);
    head = EncodedAttributes.before(RecordAttributes.MAILBOX_WAIT, processing);
    tail = EncodedAttributes.after(RecordAttributes.SENDER_PATH, processing);
    sender = EncodedAttributes.only(RecordAttributes.SENDER_PATH, attributes(null, actor));
  }

  private static Attributes attributes(
      @Nullable ActorTelemetry actor, @Nullable ActorTelemetry sender) {
    AttributesBuilder to = Attributes.builder();
    RecordAttributes.processed(to, MessageClasses.OTHER, actor, sender, 0, null);
    return to.build();
  }

  /** False once a typed actor's class has become known. */
  boolean isOf(ActorTelemetry actor) {
    return id == actor.id() && kind == actor.kind();
  }

  int size() {
    return name.length + head.length + tail.length + sender.length;
  }
}
