// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What the user asks for: the keys under {@code deimos}, from system properties and the
 * environment, and what is said about those that are wrong.
 */
@NullMarked
package io.deimos.agent.settings;

import org.jspecify.annotations.NullMarked;
