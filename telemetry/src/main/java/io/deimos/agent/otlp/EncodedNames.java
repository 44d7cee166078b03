// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.span.RecordAttributes;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names that were encoded before. The drainer's alone.
 *
 * <p><b>Memory.</b> Actors: the {@value #ACTORS} that were met last and the {@value #ASKED} that
 * were asked last, if they share no slot, of at most {@value #MAX_ACTOR_BYTES} bytes each; longer
 * ones are encoded each time. Message classes: all, of which the recorder tells no more than 16,384
 * apart. Reasons of links: the {@value #REASONS} met first.
 */
final class EncodedNames {
  static final int ACTORS = 8192;
  static final int ASKED = 1024;
  static final int REASONS = 64;
  static final int MAX_ACTOR_BYTES = 2048;

  private final @Nullable ActorBytes[] actors = new ActorBytes[ACTORS];
  private final @Nullable ActorBytes[] asked = new ActorBytes[ASKED];
  private final Map<String, byte[]> reasons = new HashMap<>();
  private @Nullable MessageBytes[] messages = new MessageBytes[256];

  /** The bytes of an actor that processed or sent a message. */
  ActorBytes of(@Nullable ActorTelemetry actor) {
    return actor == null ? ActorBytes.NONE : of(actor, actors, ActorBytes::processed);
  }

  /** The bytes of an actor that was asked. */
  ActorBytes asked(ActorTelemetry actor) {
    return of(actor, asked, ActorBytes::asks);
  }

  private static ActorBytes of(
      ActorTelemetry actor,
      @Nullable ActorBytes[] known,
      Function<ActorTelemetry, ActorBytes> encoder) {
    int slot = actor.id() & (known.length - 1);
    ActorBytes found = known[slot];
    if (found != null && found.isOf(actor)) {
      return found;
    }
    ActorBytes encoded = encoder.apply(actor);
    if (encoded.size() <= MAX_ACTOR_BYTES) {
      known[slot] = encoded;
    }
    return encoded;
  }

  /** A link's attribute that says why it is there. */
  byte[] reason(String reason) {
    byte[] known = reasons.get(reason);
    if (known == null) {
      known = LinkBytes.attribute(RecordAttributes.LINK_REASON.getKey(), reason);
      if (reasons.size() < REASONS) {
        reasons.put(reason, known);
      }
    }
    return known;
  }

  MessageBytes of(MessageClass message) {
    int id = message.id();
    MessageBytes known = id < messages.length ? messages[id] : null;
    return known != null ? known : encode(message);
  }

  private MessageBytes encode(MessageClass message) {
    int id = message.id();
    if (id >= messages.length) {
      messages = Arrays.copyOf(messages, Math.max(id + 1, messages.length * 2));
    }
    MessageBytes encoded = new MessageBytes(message);
    messages[id] = encoded;
    return encoded;
  }
}
