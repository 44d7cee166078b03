// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.spans.Ask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who looks for messages that have not been processed, and says how far to look. Called by
 * the one thread that looks.
 */
public interface MessageSearch {
  /** The path of the one actor to look at; null for all. */
  default @Nullable String onlyPath() {
    return null;
  }

  /** Whether to look on. Asked before each actor, each buffer and each connection. */
  boolean goesOn();

  /** Whether to look at what waits for this actor. */
  boolean wants(ActorTelemetry actor);

  /** Takes a message; returns whether to look on. */
  boolean see(WaitingMessage message);

  /**
   * Takes an ask that has no answer so far; returns whether to look on.
   *
   * @param state finds out what has become of it, in one of the words for an ask without an answer;
   *     costs a look into a mailbox
   */
  boolean see(Ask ask, Supplier<String> state);

  /**
   * Messages wait in a queue that cannot be looked into without holding up who sends to it.
   *
   * @param queue its class
   * @param waiting how many, as they were counted last
   */
  void closed(ActorTelemetry actor, String queue, int waiting);
}
