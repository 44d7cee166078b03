// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.recorder.actors.ActorTelemetry;
import org.jspecify.annotations.Nullable;

/** Whether spans have the events {@code waiting} and {@code message}. Safe for any thread. */
public final class MessageEvents {
  private static volatile boolean on = true;

  private MessageEvents() {}

  /** The choice for the spans of an actor; null for one that is not known any more. */
  public static boolean areOn(@Nullable ActorTelemetry actor) {
    Boolean own = actor == null ? null : actor.kind().policy().events();
    return own == null ? on : own;
  }

  /** The choice for all actors of which nothing else is said. */
  public static void turn(boolean wanted) {
    on = wanted;
  }
}
