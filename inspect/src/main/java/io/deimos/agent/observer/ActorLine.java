// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.Mailboxes;

/**
 * One actor in a list. Unknown figures are -1.
 *
 * @param mailbox messages that waited when somebody last looked
 * @param children how many actors it had made then that lived
 * @param ratePerSecond messages over the last seconds
 * @param busyShare the share of these seconds for which it was processing, in [0, 1]
 * @param messages that were recorded since it is followed
 * @param restarts since it was made
 */
public record ActorLine(
    ActorTelemetry actor,
    int mailbox,
    int children,
    double ratePerSecond,
    double busyShare,
    long waitP99Nanos,
    long messages,
    long processingNanos,
    long failures,
    int restarts,
    long madeAtSecond) {
  private static final ActorStats.Reading NOTHING = new ActorStats.Reading(0, 0, 0, 0, 0, -1);

  static ActorLine of(ActorTelemetry actor, ActorStats stats, Mailboxes seen, long now) {
    ActorStats.Reading read = stats.read(actor.id(), now);
    ActorStats.Reading known = read == null ? NOTHING : read;
    return new ActorLine(
        actor,
        seen.waiting(actor.id()),
        seen.children(actor.id()),
        known.ratePerSecond(),
        known.busyShare(),
        known.waitP99Nanos(),
        known.messages(),
        known.nanos(),
        known.failures(),
        Actors.restarts(actor),
        Actors.madeAtSecond(actor));
  }
}
