// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was encoded before, by number: of actors the {@value #ACTORS} that were met last and share
 * no slot (at most {@value #MAX_ACTOR_BYTES} bytes each; longer ones are encoded each time), of
 * message classes all, of which the recorder tells no more than 16,384 apart. The drainer's alone.
 */
final class EncodedNames {
  static final int ACTORS = 8192;
  static final int MAX_ACTOR_BYTES = 2048;

  private final @Nullable ActorBytes[] actors = new ActorBytes[ACTORS];
  private @Nullable MessageBytes[] messages = new MessageBytes[256];

  ActorBytes of(@Nullable ActorTelemetry actor) {
    if (actor == null) {
      return ActorBytes.NONE;
    }
    ActorBytes known = actors[actor.id() & (ACTORS - 1)];
    return known != null && known.isOf(actor) ? known : encode(actor);
  }

  private ActorBytes encode(ActorTelemetry actor) {
    ActorBytes encoded = new ActorBytes(actor);
    if (encoded.size() <= MAX_ACTOR_BYTES) {
      actors[actor.id() & (ACTORS - 1)] = encoded;
    }
    return encoded;
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
