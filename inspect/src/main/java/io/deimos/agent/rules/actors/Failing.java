// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Series;

/**
 * A class of actors that failed, by counts since the start.
 *
 * @param logged errors and warnings of all actors; empty if the logging library is not known
 */
record Failing(String actorClass, Series failed, Series logged) {}
