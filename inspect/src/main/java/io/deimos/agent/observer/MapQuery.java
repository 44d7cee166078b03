// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.SearchTerm;
import java.util.List;
import java.util.Set;

/**
 * The part of the map of messages that is asked for.
 *
 * @param seconds how far back
 * @param words each has to be part of the name of the sender, the receiver or a message class
 * @param open names of classes and groups whose actors are shown one by one
 * @param limit how many edges
 */
public record MapQuery(int seconds, List<SearchTerm> words, Set<String> open, int limit) {}
