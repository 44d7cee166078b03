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
 */
public record ActorPage(List<ActorLine> lines, int total, int living, int looked) {}
