// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The accepted connections whose peer has not completed a handshake: so many at most, each for so
 * long at most. A newcomer beyond that takes the place of the oldest one, unless that is young
 * itself: so silent connections cannot keep peers out, and a flood cannot take more than its share.
 *
 * <p><b>Threads.</b> Any. Called once for each connection, and never for a message.
 *
 * @param <T> connections
 */
public final class Strangers<T> {
  /** A handshake takes less, so that what is older than this may be closed for a newcomer. */
  static final long YOUNG_NANOS = 1_000_000_000L;

  private final int most;
  private final Map<T, Long> sinceNanos = new LinkedHashMap<>();

  Strangers(int most) {
    this.most = most;
  }

  /**
   * Takes a newcomer in.
   *
   * @return who has to go: null for nobody, an older connection, or the newcomer itself
   */
  public synchronized @Nullable T arrived(T connection, long nowNanos) {
    T leaving = null;
    if (sinceNanos.size() >= most) {
      Iterator<Map.Entry<T, Long>> all = sinceNanos.entrySet().iterator();
      Map.Entry<T, Long> oldest = all.next();
      if (nowNanos - oldest.getValue() < YOUNG_NANOS) {
        return connection;
      }
      leaving = oldest.getKey();
      all.remove();
    }
    sinceNanos.put(connection, nowNanos);
    return leaving;
  }

  /** Its peer is known now, or it is closed. */
  synchronized void left(T connection) {
    sinceNanos.remove(connection);
  }

  /** How many there are. */
  synchronized int size() {
    return sinceNanos.size();
  }
}
