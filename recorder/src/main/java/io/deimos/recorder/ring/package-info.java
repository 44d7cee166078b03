// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Records on their way from the threads that write them to the drainer.
 *
 * <p><b>Words.</b> <i>Record</i>: eight longs, one processed message. <i>Ring</i>: a bounded queue
 * of records. <i>Lane</i>: what one thread owns: its ring, its ids, its cells. <i>Chunk</i>: a part
 * of a ring, taken when the one before is full and given back when it has been read.
 * <i>Backlog</i>: records that wait for a slow exporter. <i>Sink</i>: where the drainer hands them.
 * <i>Drop</i>: to give up the newest record, which is counted.
 *
 * <p><b>Threads.</b> One thread writes a lane and the drainer reads it; neither waits. A lane whose
 * thread has ended passes to a new thread. The backlog is the drainer's.
 */
@NullMarked
package io.deimos.recorder.ring;

import org.jspecify.annotations.NullMarked;
