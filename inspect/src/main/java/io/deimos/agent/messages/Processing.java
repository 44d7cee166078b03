// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import io.deimos.recorder.clock.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The processing of one message.
 *
 * @param waitNanos how long the message waited before; null if that is not known
 */
public record Processing(
    SpanRef span, long startEpochNanos, @Nullable Long waitNanos, long nanos, boolean failed) {
  /** About as much as it takes in memory. */
  public static final long BYTES = 120;

  public static Processing of(MessageRecord record) {
    return new Processing(
        new SpanRef(record.traceHi(), record.traceLo(), record.spanId()),
        Clock.epochNanos(record.start()),
        record.waitNanos() < 0 ? null : record.waitNanos(),
        record.nanos(),
        record.hasFailed());
  }

  /** Its wait, if that is known, and its processing. */
  public long tookNanos() {
    return (waitNanos == null ? 0 : waitNanos) + nanos;
  }
}
