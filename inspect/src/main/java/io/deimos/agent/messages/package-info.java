// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The log of the messages that were processed last, of all actors: what a record of one has, and
 * how it is found again. The drainer writes it, and any thread reads it.
 */
@NullMarked
package io.deimos.agent.messages;

import org.jspecify.annotations.NullMarked;
