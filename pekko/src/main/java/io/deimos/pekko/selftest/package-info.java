// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The hook self-test: plain Pekko actors that do once what each hook is for, and look at what the
 * recorder made of it. Loaded below Pekko's own class loader.
 */
@NullMarked
package io.deimos.pekko.selftest;

import org.jspecify.annotations.NullMarked;
