// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.ActorTelemetry;
import org.jspecify.annotations.Nullable;

/**
 * Pekko's knowledge of one living actor, as somebody saw it who did not ask the actor.
 *
 * @param dispatcher the name of its dispatcher in the configuration
 * @param mailbox the class of its message queue
 * @param waiting messages in its mailbox
 * @param stashed messages in its stash; null if it has none that can be seen
 * @param children how many actors it has made that live; no more than {@link #MAX_CHILDREN}
 */
public record ActorLook(
    ActorTelemetry actor,
    String dispatcher,
    String mailbox,
    long waiting,
    @Nullable Integer stashed,
    int children) {
  /** Children are counted up to this many. */
  public static final int MAX_CHILDREN = 10_000;
}
