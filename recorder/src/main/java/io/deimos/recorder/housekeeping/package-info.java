// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Our own threads.
 *
 * <p><b>Words.</b> <i>Drainer</i>: empties the rings. <i>Housekeeping</i>: what must be done now
 * and then whatever is switched on. <i>Gauge reader</i>: reads the gauges of one actor system.
 *
 * <p><b>Threads.</b> {@code deimos-drainer}, {@code deimos-housekeeping} and {@code deimos-gauges}.
 * They are daemons, wait for no actor, and outlive their own faults.
 */
@NullMarked
package io.deimos.recorder.housekeeping;

import org.jspecify.annotations.NullMarked;
