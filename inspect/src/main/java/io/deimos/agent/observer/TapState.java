// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.Processing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tap as it is at one moment.
 *
 * @param endedBy {@code count}, {@code time}, {@code memory}, or {@code nobody} if nobody asked for
 *     it any more; empty while it is open
 * @param endsEpochMillis when its time is up
 * @param leftOut messages that fit and came faster than it takes them
 * @param lines those after the one that was asked for, in the order in which they were read from
 *     the records
 */
public record TapState(
    String id,
    TapQuery query,
    String endedBy,
    long endsEpochMillis,
    int taken,
    long leftOut,
    List<Line> lines) {

  /**
   * One message that was processed.
   *
   * @param number from 1
   * @param senderPath empty if no actor sent it, or a typed one did, which leaves no name
   * @param error the exception's class; empty if there was none
   * @param content what it says, where the settings allow that to be seen
   */
  public record Line(
      int number,
      Processing processing,
      String message,
      String actorPath,
      String actorClass,
      String senderPath,
      String error,
      @Nullable String content) {
    /** Itself, and the headers of its texts; classes' names are shared. */
    private static final long OBJECT_BYTES = 250 + Processing.BYTES;

    long bytes() {
      return OBJECT_BYTES
          + 2L * (actorPath.length() + senderPath.length())
          + (content == null ? 0 : 2L * content.length());
    }
  }
}
