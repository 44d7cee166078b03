// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules for recording an actor. Immutable. Null means as for all actors.
 *
 * @param traced whether its messages get spans
 * @param counted whether its messages are counted and timed
 * @param starts whether a message outside of all traces begins one here
 * @param sampling how such a trace is sampled
 * @param events whether its spans have the events {@code waiting} and {@code message}
 * @param lifecycle whether its start and its restarts have spans
 * @param filter which messages get spans
 */
public record ActorPolicy(
    boolean traced,
    boolean counted,
    boolean starts,
    @Nullable Sampling sampling,
    @Nullable Boolean events,
    @Nullable Boolean lifecycle,
    @Nullable MessagePatterns filter) {
  /** Everything. */
  public static final ActorPolicy ALL = new ActorPolicy(true, true, true, null);

  /** Nothing: the context passes through. */
  public static final ActorPolicy NONE = new ActorPolicy(false, false, true, null);

  private static final ActorPolicy TRACED = new ActorPolicy(true, false, true, null);
  private static final ActorPolicy COUNTED = new ActorPolicy(false, true, true, null);

  /** With the rest as for all actors. */
  public ActorPolicy(boolean traced, boolean counted, boolean starts, @Nullable Sampling sampling) {
    this(traced, counted, starts, sampling, null, null, null);
  }

  /** With the rest as for all actors; the same object each time, since each actor asks. */
  public static ActorPolicy of(boolean traced, boolean counted) {
    if (traced) {
      return counted ? ALL : TRACED;
    }
    return counted ? COUNTED : NONE;
  }

  /** Without what a record has for it, which is linked when the first actor is made. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ActorPolicy policy
            && traced == policy.traced
            && counted == policy.counted
            && starts == policy.starts
            && Objects.equals(sampling, policy.sampling)
            && Objects.equals(events, policy.events)
            && Objects.equals(lifecycle, policy.lifecycle)
            && Objects.equals(filter, policy.filter));
  }

  @Override
  public int hashCode() {
    return Objects.hash(traced, counted, starts, sampling, events, lifecycle, filter);
  }

  /** The same with another sampling. */
  public ActorPolicy sampledBy(Sampling other) {
    return new ActorPolicy(traced, counted, starts, other, events, lifecycle, filter);
  }
}
