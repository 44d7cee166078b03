// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

import org.jspecify.annotations.Nullable;

/**
 * The messages that timers sent on the way to here within one trace, the last one first: by actor
 * and message class. A timer that arms itself again sends the same message to the same actor, so
 * that it can be told from a request that waits for a while. Immutable.
 */
public final class TimerPath {
  /** So many different ones may follow each other in a trace. */
  static final int LONGEST = 8;

  private final long message;
  private final @Nullable TimerPath before;
  private final int length;

  private TimerPath(long message, @Nullable TimerPath before) {
    this.message = message;
    this.before = before;
    this.length = before == null ? 1 : before.length + 1;
  }

  /**
   * The path that begins with a message.
   *
   * @param message the number of the actor in the upper half, that of the message class below
   */
  public static TimerPath of(long message) {
    return new TimerPath(message, null);
  }

  /** The path with one more message; null if that is in it already, or it is too long. */
  public static @Nullable TimerPath longer(@Nullable TimerPath path, long message) {
    for (TimerPath at = path; at != null; at = at.before) {
      if (at.message == message) {
        return null;
      }
    }
    return path != null && path.length >= LONGEST ? null : new TimerPath(message, path);
  }
}
