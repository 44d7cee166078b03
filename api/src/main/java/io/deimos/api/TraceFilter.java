// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import java.util.function.BiPredicate;

/**
 * Decides message by message which get a span. Named by the setting {@code deimos.filter}, or found
 * by {@link java.util.ServiceLoader}; needs a public constructor without parameters.
 *
 * <p>Called on the actor's thread just before the message is processed, by many threads at once,
 * for every message that would otherwise get a span and is not marked {@link AlwaysTraced}; so it
 * should do little. If it throws, the message gets its span.
 */
@FunctionalInterface
public interface TraceFilter extends BiPredicate<Object, Boolean> {
  /**
   * Whether a message gets a span. If not, its context is passed on.
   *
   * @param message as the actor gets it
   * @param alreadyInTrace whether it belongs to a trace, rather than perhaps beginning one
   */
  boolean shouldTrace(Object message, boolean alreadyInTrace);

  /** Called by the agent, which does not know this type. */
  @Override
  default boolean test(Object message, Boolean alreadyInTrace) {
    return shouldTrace(message, alreadyInTrace);
  }
}
