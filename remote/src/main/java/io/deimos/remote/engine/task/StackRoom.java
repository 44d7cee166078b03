// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

/**
 * Whether the calling thread has stack left for encoding and writing a message. An overflow in the
 * midst of that could leave a lane claimed by nobody, or half a frame in a socket; so it is tried
 * before, where it harms nothing.
 */
public final class StackRoom {
  /** Calls of {@link #descend}, each of which takes some dozens of bytes. */
  private static final int DEPTH = 256;

  private StackRoom() {}

  public static boolean isEnough() {
    try {
      return descend(DEPTH, 1, 2, 3, 4) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  private static long descend(int depth, long a, long b, long c, long d) {
    return depth == 0 ? a | 1 : descend(depth - 1, b, c, d, a + depth) | (d & 1);
  }
}
