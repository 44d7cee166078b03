// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps the latest traces in memory for the page, within fixed bounds.
 *
 * <p>Spans come from two sides, records from the drainer and finished spans from OpenTelemetry, and
 * meet by trace id. Under load only some traces are kept, but those whole: whether a trace is kept
 * follows from its id, so both sides decide alike without asking each other.
 *
 * <p><b>Words.</b> <i>Admitted</i>: a trace of which all spans are kept. <i>Turned away</i>: one of
 * which none is. <i>Evicted</i>: kept once, and given up for a newer one. <i>Truncated</i>: kept,
 * with more spans than one trace may have. All that is not kept is counted, see {@link
 * io.deimos.agent.store.StoreCounts}.
 */
@NullMarked
package io.deimos.agent.store;

import org.jspecify.annotations.NullMarked;
