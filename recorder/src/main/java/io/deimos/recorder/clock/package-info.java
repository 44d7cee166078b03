// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The one clock that all records are stamped with.
 *
 * <p><b>Words.</b> <i>Tick</i>: housekeeping compares the clock with {@code System.nanoTime} once a
 * second. <i>Fast clock</i>: the processor's counter, where that can be read and agrees.
 *
 * <p><b>Threads.</b> Any thread reads the time. Housekeeping alone ticks.
 */
@NullMarked
package io.deimos.recorder.clock;

import org.jspecify.annotations.NullMarked;
