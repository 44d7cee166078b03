// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import org.jspecify.annotations.Nullable;

/**
 * What is recorded of an actor. Immutable.
 *
 * @param traced whether its messages get spans
 * @param counted whether its messages are counted and timed
 * @param starts whether a message outside of all traces begins one here
 * @param sampling how such a trace is sampled; null for as anywhere
 */
public record ActorPolicy(
    boolean traced, boolean counted, boolean starts, @Nullable Sampling sampling) {
  /** Everything. */
  public static final ActorPolicy ALL = new ActorPolicy(true, true, true, null);

  /** Nothing: the context passes through. */
  public static final ActorPolicy NONE = new ActorPolicy(false, false, true, null);
}
