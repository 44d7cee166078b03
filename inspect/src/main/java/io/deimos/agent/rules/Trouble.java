// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;
import io.deimos.agent.observer.TroubleGroup;

/**
 * A group of incidents.
 *
 * @param count how many it has had so far
 */
public record Trouble(TroubleGroup group, Series count) {}
