// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

/** Looks at one part of this process for what rules judge by. */
public interface Source {
  /** Notes the numbers of this moment, every two seconds. Has to be cheap. */
  default void note(Past.Notes notes) {}

  /** Gives the facts of this moment to {@link Facts#add}. */
  void look(Facts facts);
}
