// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/** A client's connection as the loop sees it, which waits for nobody. */
interface ClientChannel extends ByteChannel {
  /** The channel below, to be registered and closed. */
  SocketChannel socket();

  /** Whether more may be read without anything coming from the client. */
  boolean hasMore();

  /**
   * Sends what is still to be sent of what was written.
   *
   * @return whether that was all
   */
  boolean flush() throws IOException;

  /** Says that nothing more will be sent. */
  void shutdownOutput() throws IOException;

  /** The same connection for threads that wait; the channel below blocks by now. */
  Wire handOver();

  @Override
  default boolean isOpen() {
    return socket().isOpen();
  }

  @Override
  default void close() throws IOException {
    socket().close();
  }
}
