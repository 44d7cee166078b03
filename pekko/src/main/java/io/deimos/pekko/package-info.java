// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Weaves Pekko: which methods ({@link io.deimos.pekko.HookPoint}), with what ({@code advice}),
 * which fields are added ({@link io.deimos.pekko.AddedFields}), and how it is shown to work ({@code
 * selftest}).
 *
 * <p>Advice is copied into Pekko's methods; all it does is one static call into {@code
 * io.deimos.recorder}. Nothing here is loaded by the application's class loader but the copies, and
 * the self-test's actors in a loader of their own.
 */
@NullMarked
package io.deimos.pekko;

import org.jspecify.annotations.NullMarked;
