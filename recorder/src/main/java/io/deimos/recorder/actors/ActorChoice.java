// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import org.jspecify.annotations.Nullable;

/**
 * A choice that somebody made for some actors; null fields were not chosen. Immutable.
 *
 * @param traced whether their messages get spans
 * @param counted whether their messages are counted and timed
 * @param starts whether a message outside of all traces begins one there
 * @param ratio the share of such traces that is sampled, in [0, 1]
 * @param events whether their spans have the events {@code waiting} and {@code message}
 * @param lifecycle whether their starts and restarts have spans
 * @param filter which messages get spans
 * @param children whether it holds for all actors below, too
 */
public record ActorChoice(
    @Nullable Boolean traced,
    @Nullable Boolean counted,
    @Nullable Boolean starts,
    @Nullable Double ratio,
    @Nullable Boolean events,
    @Nullable Boolean lifecycle,
    @Nullable MessagePatterns filter,
    boolean children) {
  /** Nothing was asked for. */
  public static final ActorChoice NOTHING =
      new ActorChoice(null, null, null, null, null, null, null, false);

  /** This choice, and where it says nothing, another. */
  public ActorChoice or(@Nullable ActorChoice other) {
    return other == null
        ? this
        : new ActorChoice(
            traced != null ? traced : other.traced,
            counted != null ? counted : other.counted,
            starts != null ? starts : other.starts,
            ratio != null ? ratio : other.ratio,
            events != null ? events : other.events,
            lifecycle != null ? lifecycle : other.lifecycle,
            filter != null ? filter : other.filter,
            children);
  }

  /** A policy, but for what was asked for. */
  public ActorPolicy applyTo(ActorPolicy policy) {
    return new ActorPolicy(
        traced != null ? traced : policy.traced(),
        counted != null ? counted : policy.counted(),
        starts != null ? starts : policy.starts(),
        ratio != null ? Sampling.ofRatio(ratio) : policy.sampling(),
        events != null ? events : policy.events(),
        lifecycle != null ? lifecycle : policy.lifecycle(),
        filter != null ? filter : policy.filter());
  }
}
