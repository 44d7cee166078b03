// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.List;
import java.util.Map;

/**
 * The finds of a search for messages.
 *
 * @param sightings those that wait first, then those that something happened to, then the processed
 *     ones; in each the latest first
 * @param counts how many there are of each fate, those beyond the limit among them
 * @param notLookedAt what was not looked at, a sentence each
 */
public record Whereabouts(
    List<Sighting> sightings, Map<Fate, Long> counts, Looked looked, List<String> notLookedAt) {

  /**
   * How much was looked at.
   *
   * @param records messages that had been processed
   * @param sinceEpochNanos when the first of them began; 0 if there are none
   * @param actors whose mailboxes and stashes were looked into
   * @param waiting messages that waited there, in buffers of sharding and for other nodes
   * @param asks asks without an answer so far
   * @param troubles examples of what went wrong
   * @param traces that are kept and fit
   */
  public record Looked(
      long records,
      long sinceEpochNanos,
      int actors,
      int waiting,
      int asks,
      int troubles,
      int traces) {}

  /** How many were found. */
  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
