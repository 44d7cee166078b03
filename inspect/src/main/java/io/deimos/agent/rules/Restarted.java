// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;

/**
 * An actor that was restarted.
 *
 * @param restarts how often since it was made
 * @param processedPerSecond messages in the last seconds; 0 if not known
 */
public record Restarted(
    String actor, String actorClass, Series restarts, double processedPerSecond) {}
