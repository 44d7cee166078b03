// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** Shared by all tests: JVMs, receivers, pages, and how spans are written as text. */
@NullMarked
package io.deimos.it.harness;

import org.jspecify.annotations.NullMarked;
