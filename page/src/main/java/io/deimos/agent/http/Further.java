// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The parts after an answer's first one on the same connection. A part is made only when the client
 * has read the one before, so a slow client gets fewer of them and nothing piles up.
 */
public interface Further {
  /** When the next part is due, by {@link System#nanoTime}. Called between parts. */
  long dueNanos();

  /**
   * Makes the next part, on a thread that may take its time.
   *
   * @return null if there are no more
   */
  @Nullable Outgoing next() throws IOException;

  /** Nothing more of it is asked for. By any thread, once or more often. */
  void end();
}
