// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps traces in memory for the page, within fixed bounds.
 *
 * <p>Spans come from two sides, records from the drainer and finished spans from OpenTelemetry, and
 * meet by trace id. Under load only some traces are taken, but those whole: whether a trace is
 * taken follows from its id, so both sides decide alike without asking each other. A trace is
 * judged when it has been quiet.
 *
 * <p><b>Words.</b> <i>Held</i>: taken, and not yet judged. <i>Turned away</i>: not taken.
 * <i>Trouble</i>: a failure, a time-out, a dead letter or a stuck actor. <i>Ordinary</i>: judged,
 * and without trouble. <i>Let go</i>: judged, and more than may be kept. <i>Late</i>: kept for a
 * span with trouble, after others of the trace were turned away. <i>Pinned</i>: named by an
 * incident line. <i>Thinned</i>: reduced to what shows the trouble. <i>Evicted</i>: put out to make
 * room. <i>Truncated</i>: with more spans than one trace may have. All that is not kept is counted,
 * see {@link io.deimos.agent.store.StoreCounts}.
 */
@NullMarked
package io.deimos.agent.store;

import org.jspecify.annotations.NullMarked;
