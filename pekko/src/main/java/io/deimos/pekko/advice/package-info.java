// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The code that is copied into Pekko's methods. Each advice is one static call on what is at hand;
 * all that can be tested lives in {@code io.deimos.recorder}. These classes are never loaded, only
 * read.
 *
 * <p>Casts to the added fields' interfaces go through {@code Object}: the compiler does not know
 * the woven classes, the JIT compiler does, and folds them.
 */
@NullMarked
package io.deimos.pekko.advice;

import org.jspecify.annotations.NullMarked;
