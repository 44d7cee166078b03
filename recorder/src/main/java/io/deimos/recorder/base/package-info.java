// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The needs of every room: configuration, faults, hooks by name, and calls for housekeeping.
 *
 * <p><b>Words.</b> <i>Hook</i>: a place in Pekko that woven code reports from. <i>Fault</i>: a
 * failure of our own code, caught and counted. <i>Fold</i>: to count a rare series under {@code
 * other}.
 *
 * <p><b>Threads.</b> {@link io.deimos.recorder.base.RecorderConfig} is set once, before any other
 * class of the recorder is loaded, which reads it into constants. The rest is for any thread.
 */
@NullMarked
package io.deimos.recorder.base;

import org.jspecify.annotations.NullMarked;
