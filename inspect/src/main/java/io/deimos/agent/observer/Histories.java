// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.MessageLog;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that actors had processed before something went wrong with them, by path and time.
 *
 * <p><b>Threads.</b> The drainer and the thread of incidents add, the page's threads read.
 *
 * <p><b>Cost.</b> One is made for an example of trouble that is kept, and at most one in {@value
 * #EVERY_NANOS} ns: it reads up to 4,096 records of the log.
 *
 * <p><b>Full.</b> The eldest goes.
 */
final class Histories {
  private static final long EVERY_NANOS = 50_000_000L;

  private final Map<Key, History> kept = new LinkedHashMap<>();
  private final MessageLog log;
  private final long mostBytes;
  private long bytes;
  private long lastNanos;
  private boolean any;

  Histories(MessageLog log, long mostBytes) {
    this.log = log;
    this.mostBytes = mostBytes;
  }

  /**
   * Keeps what an actor has processed up to now.
   *
   * @param epochNanos when something went wrong
   * @param now by the recorder's clock
   */
  void keep(String path, long epochNanos, long now) {
    if (path.isEmpty() || !isDue(now)) {
      return;
    }
    History history = History.of(path, log);
    if (!history.lines().isEmpty()) {
      add(new Key(path, epochNanos), history);
    }
  }

  private synchronized boolean isDue(long now) {
    if (any && now - lastNanos < EVERY_NANOS) {
      return false;
    }
    any = true;
    lastNanos = now;
    return true;
  }

  private synchronized void add(Key key, History history) {
    History before = kept.put(key, history);
    bytes += history.bytes() + key.bytes();
    if (before != null) {
      bytes -= before.bytes() + key.bytes();
    }
    Iterator<Map.Entry<Key, History>> eldest = kept.entrySet().iterator();
    while (bytes > mostBytes && kept.size() > 1) {
      Map.Entry<Key, History> gone = eldest.next();
      bytes -= gone.getValue().bytes() + gone.getKey().bytes();
      eldest.remove();
    }
  }

  /**
   * The messages that an actor had processed when something went wrong; null if they are not kept.
   */
  synchronized @Nullable History of(String path, long epochNanos) {
    return kept.get(new Key(path, epochNanos));
  }

  synchronized long bytes() {
    return bytes;
  }

  private record Key(String path, long epochNanos) {
    long bytes() {
      return 120L + path.length();
    }
  }
}
