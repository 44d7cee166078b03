// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.PathPattern;

/**
 * The wishes for the actors whose path fits a pattern.
 *
 * @param where who asks for it
 */
record PathRule(PathPattern pattern, ActorChoice choice, String where) {}
