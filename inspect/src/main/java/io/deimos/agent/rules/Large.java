// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Series;

/**
 * Large messages of one class to another node.
 *
 * @param sent how many so far
 */
public record Large(String peer, String messageClass, Series sent) {}
