// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

/**
 * A look at an actor by its own thread, before a system message that changes nothing. The reference
 * in that message has it as its identity.
 */
@FunctionalInterface
public interface ActorVisit {
  /** Called by the actor's thread; must be short, and must not throw. */
  void visit();
}
