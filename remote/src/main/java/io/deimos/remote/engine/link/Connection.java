// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.net.DirectSocket;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at an outgoing connection, and the connection that comes of it.
 *
 * <p><b>Threads.</b> {@link #write}, {@link #flush} and {@link #finish} on its event loop alone,
 * the others on any.
 *
 * <p><b>Reports.</b> First {@link Listener#opened}, or not; then {@link Listener#lost}, once.
 */
interface Connection {
  /** Told on the event loop, or on whatever thread there is if that has died. */
  interface Listener {
    /** Frames may be written, behind the header. */
    void opened(Connection connection);

    /** The header is in the socket, so that senders may write to it too. */
    void headerWritten(Connection connection, DirectSocket socket);

    /** Bytes came in, which no peer sends on such a connection. */
    void received(Connection connection, Throwable complaint);

    /** The connection has ended, or did not come about, for a reason if there is one. */
    void lost(Connection connection, @Nullable Throwable reason);
  }

  void start();

  /** Writes without flushing; the listener is told when the bytes are in the socket, or lost. */
  void write(ByteBuf bytes, GenericFutureListener<Future<Void>> whenWritten);

  /** Flushes what was written, if there is a connection. */
  void flush();

  /**
   * Ends the connection when all that was written is in the socket, or when the peer has taken
   * nothing of it for as long as it may take to connect.
   */
  void finish();

  /** Ends the connection, or the attempt at one, and throws away what the peer has not taken. */
  void abort();

  /** Ends the connection, or the attempt at one; that is reported as any other end. */
  void close();

  /** Ends the connection for a reason. */
  void fail(Throwable reason);
}
