// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.woven.RefFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a message came from, if it was not simply told by an actor. */
public enum Origin {
  /** An actor told it, or it is not known from where it came. */
  TOLD(0),
  ASK(1),
  TIMER(2),
  STREAM(3),
  /** An actor of another node. */
  NODE(4),
  /** No actor: a thread of the application's, an HTTP server. */
  OUTSIDE(5);

  private static final List<Origin> BY_CODE = List.of(TOLD, ASK, TIMER, STREAM, NODE, OUTSIDE);

  private final int code;

  Origin(int code) {
    this.code = code;
  }

  /** As records have it, in [0, 7]. */
  public int code() {
    return code;
  }

  public static Origin byCode(int code) {
    return BY_CODE.get(code);
  }

  public static Origin of(SpanView span, @Nullable ActorTelemetry sender) {
    if (sender != null) {
      return PekkoNames.of(sender.className()).startsWith("org.apache.pekko.stream.")
          ? STREAM
          : TOLD;
    }
    Rare rare = span.rare();
    if (rare == null) {
      return TOLD;
    }
    Link link = rare.link();
    if (link != null && link.reason().equals(Link.TICK)) {
      return TIMER;
    }
    return rare.senderRef() == null ? TOLD : of(rare.senderRef());
  }

  /** By the class of a reference without a cell. */
  private static Origin of(Object ref) {
    if (asker(ref) != null || ref.getClass().getName().endsWith(".PromiseActorRef")) {
      return ASK;
    }
    return switch (ref.getClass().getSimpleName()) {
      case "RemoteActorRef" -> NODE;
      case "FunctionRef" -> STREAM;
      default -> TOLD;
    };
  }

  /** The ask behind the temporary reference that a request was sent with. */
  public static @Nullable Ask asker(@Nullable Object ref) {
    return ref instanceof RefFields fields && fields.deimos$identity() instanceof Ask ask
        ? ask
        : null;
  }
}
