// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.Mailboxes;
import org.jspecify.annotations.Nullable;

/**
 * One actor in a list.
 *
 * @param work what it has done since it is followed
 * @param mailbox messages that waited when somebody last looked; null if nobody has
 * @param peak messages that waited at most, of the looks of the last minute
 * @param children how many living actors it had made then; null if nobody has looked
 * @param restarts since it was made
 */
public record ActorLine(
    ActorTelemetry actor,
    ActorStats.Reading work,
    @Nullable Integer mailbox,
    @Nullable Integer peak,
    @Nullable Integer children,
    int restarts,
    long madeAtSecond) {
  private static final ActorStats.Reading NOTHING = new ActorStats.Reading(0, 0, 0, 0, 0, null);

  static ActorLine of(ActorTelemetry actor, ActorStats stats, Mailboxes seen, long now) {
    ActorStats.Reading read = stats.read(actor.id(), now);
    int waiting = seen.waiting(actor.id());
    int peak = seen.peak(actor.id());
    int children = seen.children(actor.id());
    return new ActorLine(
        actor,
        read == null ? NOTHING : read,
        waiting < 0 ? null : waiting,
        peak < 0 ? null : peak,
        children < 0 ? null : children,
        Actors.restarts(actor),
        Actors.madeAtSecond(actor));
  }
}
