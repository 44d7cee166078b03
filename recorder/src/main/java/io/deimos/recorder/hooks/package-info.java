// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Entry points for woven code: one class for each kind of place in Pekko.
 *
 * <p><b>Words.</b> <i>Begin</i>, <i>end</i>: around a message. <i>Register</i>, <i>run</i>,
 * <i>ran</i>: of callbacks. A method that returns a {@code Frame} is ended with it. <i>Fires</i>: a
 * {@link io.deimos.recorder.base.Hook} was called.
 *
 * <p><b>Threads.</b> Any thread that Pekko runs on, mostly a dispatcher's. Nothing here throws,
 * locks, logs, or allocates for a plain message. Advice calls this room and no other.
 */
@NullMarked
package io.deimos.recorder.hooks;

import org.jspecify.annotations.NullMarked;
