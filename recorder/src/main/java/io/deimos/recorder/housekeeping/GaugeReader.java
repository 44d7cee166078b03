// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.counts.Readings;
import org.jspecify.annotations.Nullable;

/**
 * Reads gauges off one actor system. Called by one thread, but for {@link #look}, {@link #inside}
 * and {@link #search}.
 */
public interface GaugeReader {
  /**
   * Reads them.
   *
   * @return false if the actor system has ended and there will never be anything to read again
   */
  boolean read(Readings into);

  /**
   * Looks at one actor. By any thread.
   *
   * @param path as {@code pekko://system/user/a}
   * @return null if this system has no such actor now
   */
  default @Nullable ActorLook look(String path) {
    return null;
  }

  /**
   * Has an actor's own thread look into it, and waits for that for a moment. By any thread.
   *
   * @param path as {@code pekko://system/user/a}
   * @return null if this system has no such actor now
   */
  default @Nullable ActorInside inside(String path) {
    return null;
  }

  /** Shows what waits in this system to somebody who looks for a message. By any thread. */
  default void search(MessageSearch search) {}
}
