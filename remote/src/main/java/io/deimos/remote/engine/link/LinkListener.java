// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import org.jspecify.annotations.Nullable;

/**
 * Told of the life of a link, in the order in which it happens.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order: the link's event loop, or another in
 * its place if that has died.
 */
interface LinkListener {
  /** An attempt at a connection begins. */
  default void connecting() {}

  /** It is there. */
  default void opened(Connection connection) {}

  /**
   * A connection, or the attempt at one, has ended, whatever it was.
   *
   * @param wasOpen whether {@link #opened} was told of it
   */
  default void over(boolean wasOpen) {}

  /** That was no doing of ours, and is for a reason if there is one. */
  default void lost(@Nullable Throwable reason) {}

  /** The system is stopping, and no other attempt is made. */
  default void noReconnect() {}

  /** Nothing more will be written. */
  default void ended() {}
}
