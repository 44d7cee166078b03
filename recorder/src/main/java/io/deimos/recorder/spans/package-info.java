// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a span that do not fit into a record of numbers.
 *
 * <p><b>Words.</b> <i>Ask</i>: a request that expects a reply, as {@code PromiseActorRef} carries
 * it. <i>Operation</i>: a write, a recovery or a snapshot of a persistent actor. <i>Incident</i>: a
 * dead letter, an ask that timed out, a stuck actor. <i>Content</i>: the text of a message.
 * <i>Rare</i>: all that hangs on one record.
 *
 * <p><b>Threads.</b> Made on the thread that records, read by the drainer after the ring has handed
 * over the record. An ask ends once, on whatever thread comes first.
 */
@NullMarked
package io.deimos.recorder.spans;

import org.jspecify.annotations.NullMarked;
