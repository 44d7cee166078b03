// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Changes settings while the application runs, and puts those in force into the recorder.
 *
 * <p><b>Words.</b> <i>Live</i>: the settings in force now; the only place where they change.
 * <i>Rule</i>: what settings, a deployment or code asks for of some actors or messages.
 * <i>Choice</i>: what one rule says. <i>User hook</i>: an object of the application's that has a
 * say.
 *
 * <p>The control file's thread, the page's threads and threads that start an actor system make
 * changes, one after another; any thread may read.
 */
@NullMarked
package io.deimos.agent.control;

import org.jspecify.annotations.NullMarked;
