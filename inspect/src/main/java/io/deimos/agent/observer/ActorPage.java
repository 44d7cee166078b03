// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.List;

/**
 * A part of an ordered list of actors.
 *
 * @param total how many actors there are in the whole list
 * @param living how many live that could be asked for, the self-test's left out
 * @param looked in how many mailboxes somebody has looked; 0 if nobody does
 * @param otherClasses of how many classes they are, if those were asked for that are counted
 *     together as {@code other}; else 0
 * @param mostOfOther of these, the classes with the most living actors
 */
public record ActorPage(
    List<ActorLine> lines,
    int total,
    int living,
    int looked,
    int otherClasses,
    List<ClassCount> mostOfOther) {

  /** How many actors of a class live. */
  public record ClassCount(String className, int living) {}
}
