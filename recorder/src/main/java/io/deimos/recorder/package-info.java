// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Records what actors do, at a cost an actor can carry, and turns it into spans and metrics later.
 *
 * <p>Dispatcher threads append fixed-size records to their own {@link
 * io.deimos.recorder.ring.Ring}; one {@link io.deimos.recorder.housekeeping.Drainer} thread reads
 * the rings and hands each record to {@link io.deimos.recorder.ring.SpanSink}s. Counts and
 * durations go to {@link io.deimos.recorder.counts.MessageCell}s, which only their own thread
 * writes and any thread may fold. Nothing here allocates, locks or logs per message on a dispatcher
 * thread.
 *
 * <p><b>Words.</b> <i>Record</i>: eight longs in a ring, one processed message. <i>Rare</i>: what a
 * record cannot hold (an error, user attributes, a sender without a cell). <i>Silent</i>: an actor
 * that makes no spans and no metrics but passes the context on. <i>Kind</i>: an actor class in a
 * system.
 *
 * <p><b>Suffixes.</b> {@code Nanos}, {@code Bytes}: the unit. {@code Acquire}, {@code Release},
 * {@code Opaque}: the access mode.
 *
 * <p>Loaded by the bootstrap class loader, so {@code java.base} only; {@code ArchitectureTest}
 * holds it to that.
 */
@NullMarked
package io.deimos.recorder;

import org.jspecify.annotations.NullMarked;
