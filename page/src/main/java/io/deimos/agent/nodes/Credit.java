// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.util.concurrent.TimeUnit;

/**
 * How much a process may send of one kind of frame. The page gives it, all its processes the same,
 * so that what comes in a second has a bound however many they are. A process can always be granted
 * one frame more than it has credit for, so none waits for ever. Safe for any thread.
 */
final class Credit {
  /**
   * The amount that is read of a kind in a second, of all links, and what one may send at once at
   * least.
   */
  enum Of {
    SPANS(FrameType.SPANS, 8L << 20, 256 * 1024),
    TROUBLE(FrameType.TROUBLE, 1L << 20, TroubleBytes.MAX_BYTES + 1024),
    LAST(FrameType.LAST, 2L << 20, LastState.MAX_ANSWER_BYTES + 1024),
    CLUSTER(FrameType.CLUSTER, 1L << 20, ClusterBytes.MAX_BYTES + 1024);

    final FrameType type;
    private final long bytesPerSecond;
    final int leastWindow;

    Of(FrameType type, long bytesPerSecond, int leastWindow) {
      this.type = type;
      this.bytesPerSecond = bytesPerSecond;
      this.leastWindow = leastWindow;
    }
  }

  private final Of of;
  private long at = System.nanoTime();
  private double saved;
  private long open;

  Credit(Of of) {
    this.of = of;
    this.saved = of.leastWindow;
  }

  /**
   * The bytes that the process may send more.
   *
   * @param links how many share what is read in a second
   * @return bytes; 0 while it is not worth a frame
   */
  synchronized long grant(int links, long now) {
    double rate = (double) of.bytesPerSecond / Math.max(1, links);
    double window = Math.max(2.0 * of.leastWindow, rate);
    saved = Math.min(window, saved + rate * (now - at) / TimeUnit.SECONDS.toNanos(1));
    at = now;
    long granted = (long) Math.min(saved, window - open);
    if (granted < of.leastWindow / 4) {
      return 0;
    }
    saved -= granted;
    open += granted;
    return granted;
  }

  /** The grant could not be sent. */
  synchronized void takeBack(long granted) {
    open -= granted;
    saved += granted;
  }

  /**
   * A frame has come.
   *
   * @return false if it was not allowed to
   */
  synchronized boolean spend(int bytes) {
    open -= bytes;
    return open >= 0;
  }
}
