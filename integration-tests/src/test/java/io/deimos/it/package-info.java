// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the built agent from outside: applications in forked JVMs, a receiver for what they
 * export, a browser for their page.
 *
 * <p>The applications are in the package {@code scenarios}: plain Pekko, nothing of ours.
 */
@NullMarked
package io.deimos.it;

import org.jspecify.annotations.NullMarked;
