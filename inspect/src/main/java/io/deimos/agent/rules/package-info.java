// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of {@code check}, one a class, the facts by which they judge, and the sources of these.
 * A fact is an immutable record. See {@link io.deimos.agent.check}.
 */
@NullMarked
package io.deimos.agent.rules;

import org.jspecify.annotations.NullMarked;
