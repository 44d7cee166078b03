// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

import org.jspecify.annotations.Nullable;

/**
 * Told of every message that a direct lane serialises or deserialises. Those that go through
 * Pekko's own streams are seen in Pekko's own methods, and are not told here.
 *
 * <p><b>Threads.</b> Any. <b>Cost.</b> Called for each message, so it must not block; what it
 * throws is treated as the failure of the message.
 */
public interface MessageMeter {
  /** The time in nanoseconds on a clock of its own; given back when the message is done. */
  long now();

  /**
   * A message was serialised, or could not be.
   *
   * @param peer Pekko's address of the receiver, null if there is none
   * @param message what was sent; not to be kept
   * @param begunNanos what {@link #now} said before
   * @param bytes the size of the envelope, header included and frame length not
   */
  void serialised(@Nullable Object peer, @Nullable Object message, long begunNanos, int bytes);

  /**
   * A message was deserialised, or could not be.
   *
   * @param uid number of the system it came from
   * @param begunNanos what {@link #now} said before
   * @param bytes the size of the envelope, header included and frame length not
   */
  void deserialised(long uid, long begunNanos, int bytes);
}
