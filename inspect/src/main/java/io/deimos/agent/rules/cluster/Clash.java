// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.cluster;

import io.deimos.agent.check.Where;
import io.deimos.agent.settings.CheckKeys;
import io.deimos.agent.settings.Key;
import java.time.Duration;

/**
 * Words of several nodes that cannot all be right, and have been said for long enough.
 *
 * @param says the state of affairs, in one sentence
 * @param sinceMillis from when on it is known, by the page's clock
 */
public record Clash(Kind kind, Where where, String says, long sinceMillis) {
  /** The kinds, each with a rule. */
  public enum Kind {
    /** A singleton or a shard is alive on several nodes. */
    ALIVE_TWICE(CheckKeys.TWICE_TIME),
    /** Members of one cluster see different leaders, or different members. */
    VIEWS_DIFFER(CheckKeys.VIEWS_TIME),
    /** Clusters that should be one have no member in common. */
    APART(CheckKeys.APART_TIME);

    @SuppressWarnings("ImmutableEnumChecker") // a key does not change
    private final Key<Duration> time;

    Kind(Key<Duration> time) {
      this.time = time;
    }

    /** For how long it has to be so. */
    public Key<Duration> time() {
      return time;
    }
  }
}
