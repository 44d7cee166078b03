// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

/**
 * Where a link is in its life, and what comes next. A value: each transition answers with the state
 * after it, which is the same one if the event does not apply.
 *
 * <pre>
 *   IDLE --connecting--> CONNECTING --opened--> OPEN
 *   IDLE, CONNECTING, OPEN --lost--> PAUSING --pauseOver--> IDLE
 *   IDLE, CONNECTING, OPEN --lost, too often--> CLOSED
 *   any --closed--> CLOSED
 * </pre>
 *
 * @param phase where the link is
 * @param restarts pauses in a row
 * @param forgetNanos when a loss comes after this time, earlier ones do not count any more
 */
record LinkState(Phase phase, int restarts, long forgetNanos) {
  private static final double LONGEST_PAUSE_FACTOR = 5.0;
  private static final int MAX_DOUBLINGS = 16;

  enum Phase {
    /** There is no connection, and the next frame begins one. */
    IDLE,
    CONNECTING,
    OPEN,
    /** The last attempt failed; frames that come nevertheless wait for the next one. */
    PAUSING,
    CLOSED
  }

  static LinkState initial(long nowNanos) {
    return new LinkState(Phase.IDLE, 0, nowNanos);
  }

  LinkState connecting() {
    return phase == Phase.IDLE ? in(Phase.CONNECTING) : this;
  }

  LinkState opened() {
    return phase == Phase.CONNECTING ? in(Phase.OPEN) : this;
  }

  /**
   * The connection has ended, or did not come about.
   *
   * @param maxRestarts as many losses in a row are followed by another attempt
   */
  LinkState lost(long nowNanos, int maxRestarts) {
    if (!isAlive()) {
      return this;
    }
    int before = nowNanos - forgetNanos > 0 ? 0 : restarts;
    return before >= maxRestarts
        ? in(Phase.CLOSED)
        : new LinkState(Phase.PAUSING, before + 1, forgetNanos);
  }

  /** The pause after a loss is over. */
  LinkState pauseOver(long nowNanos, long minBackoffNanos) {
    return phase == Phase.PAUSING
        ? new LinkState(Phase.IDLE, restarts, nowNanos + minBackoffNanos)
        : this;
  }

  LinkState closed() {
    return in(Phase.CLOSED);
  }

  private LinkState in(Phase next) {
    return new LinkState(next, restarts, forgetNanos);
  }

  /** Whether there is a connection, or one may begin now. */
  boolean isAlive() {
    return phase != Phase.PAUSING && phase != Phase.CLOSED;
  }

  /**
   * How long to wait before the next attempt, while {@link Phase#PAUSING}.
   *
   * @param noise added to a factor of 1, so that not all peers come at once
   */
  long pauseNanos(long minBackoffNanos, double noise) {
    double factor =
        Math.min(LONGEST_PAUSE_FACTOR, Math.pow(2.0, Math.min(restarts - 1, MAX_DOUBLINGS)));
    return (long) (minBackoffNanos * factor * (1.0 + noise));
  }
}
