// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Reads gauges off a running actor system, once a second and on a thread of its own: what public
 * methods or fields tell, never by a message, so that no actor has anything to do with it.
 *
 * <p>Loaded beside Pekko, by a class loader below the application's.
 */
@NullMarked
package io.deimos.pekko.gauges;

import org.jspecify.annotations.NullMarked;
