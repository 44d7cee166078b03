// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Series;
import java.time.Duration;

/**
 * An actor for which messages wait, and how busy it has been meanwhile.
 *
 * @param waiting messages in its mailbox
 * @param perSecond messages that it processes
 * @param busy the share of its time, in thousandths; 0 while few messages wait
 */
record Busy(
    String actor, String actorClass, int waiting, double perSecond, Series busy, Group group) {
  /** The meaning of an actor among others. */
  enum Role {
    ONE,
    SINGLETON,
    ROUTEE,
    ENTITY
  }

  /**
   * The place of the actor.
   *
   * @param parent the path of its parent
   * @param size of a routee, how many routees the pool has; of an entity, the entities of its
   *     shard; of others 1
   * @param share of a routee or an entity, its share of their messages in the last seconds
   * @param leastBusy of a routee, the busy share of the one that has least to do
   */
  record Group(Role role, String parent, int size, double share, double leastBusy) {}

  /** Since when it has been that busy, in milliseconds since 1970; 0 if not for long enough. */
  long since(double share, Duration time) {
    Series recent = busy.last(time);
    long thousandths = Math.round(share * 1000);
    return recent.length().plusSeconds(2).compareTo(time) >= 0 && recent.min() >= thousandths
        ? busy.atLeastSince(thousandths)
        : 0;
  }
}
