// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.clock.Clock;
import java.util.HashMap;
import java.util.Map;

/**
 * The shards whose messages wait because their region does not know where the shard is, and since
 * when.
 *
 * <p><b>Threads.</b> That of the region's actor.
 *
 * <p><b>Full.</b> With {@value #MOST} shards further ones are not timed.
 */
final class ShardHomes {
  private static final int MOST = 1024;

  private final Map<String, Long> since = new HashMap<>();

  /** A message waits; the first one counts. */
  void waits(String shard) {
    if (since.size() < MOST) {
      since.putIfAbsent(shard, Clock.now());
    }
  }

  /** How long messages waited until now, which ends it; -1 if none did. */
  long found(String shard) {
    Long begun = since.remove(shard);
    return begun == null ? -1 : Math.max(0, Clock.now() - begun);
  }
}
