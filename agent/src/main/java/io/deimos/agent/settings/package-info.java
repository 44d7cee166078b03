// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What the user asks for: the keys under {@code deimos}, each declared once in {@link
 * io.deimos.agent.settings.Keys}; the layers they are read from, system properties before
 * environment variables before the application's HOCON; and what is said about those that are
 * wrong.
 */
@NullMarked
package io.deimos.agent.settings;

import org.jspecify.annotations.NullMarked;
