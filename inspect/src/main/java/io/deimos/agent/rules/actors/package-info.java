// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Rules about single actors, asks, entities and timers, with the facts by which they judge and the
 * sources of these. See {@link io.deimos.agent.check}.
 */
@NullMarked
package io.deimos.agent.rules.actors;

import org.jspecify.annotations.NullMarked;
