// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;

/**
 * The mailbox of one actor, or those of all actors of a class.
 *
 * @param actor the actor's path; empty for all of the class
 * @param waiting how many messages wait
 * @param processedPerSecond in the last seconds; 0 if not known
 */
public record Mailbox(String actor, String actorClass, Series waiting, double processedPerSecond) {}
