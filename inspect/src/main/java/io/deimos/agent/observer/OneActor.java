// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.housekeeping.ActorLook;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one actor.
 *
 * @param look what Pekko knows of it; null if it has stopped, or gauges are not read
 */
public record OneActor(ActorLine line, @Nullable ActorLook look, Correspondence correspondence) {}
