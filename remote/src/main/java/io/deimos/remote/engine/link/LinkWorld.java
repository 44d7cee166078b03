// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;

/** The world as a link sees it: the network, time, and threads to run on. */
interface LinkWorld {
  ByteBufAllocator buffers();

  /** How many losses in a row are followed by another attempt. */
  int maxRestarts();

  /** The shortest pause after a loss. */
  long minBackoffNanos();

  /** A connection that has yet to be started. */
  Connection newConnection(EventLoop loop, Connection.Listener listener);

  EventLoop firstLoop();

  /** The event loop of the connection after one on another. */
  EventLoop nextLoop(EventLoop last);

  long nanoTime();

  /** How much longer a pause is, as a part of it, so that not all peers come at once. */
  double noise();

  /**
   * Runs a task after a pause.
   *
   * @return false if it never will, as the system is stopping
   */
  boolean later(Duration pause, Runnable task);
}
