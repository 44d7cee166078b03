// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.deimos.recorder.ring.HeldRecords;

/** The spans of a trace that is not decided yet, strung together. */
final class HeldTrace {
  final TraceId id;
  final long sinceNanos;
  int first = HeldRecords.NONE;
  int last = HeldRecords.NONE;
  int spans;
  int weight;

  HeldTrace(TraceId id, long sinceNanos) {
    this.id = id;
    this.sinceNanos = sinceNanos;
  }
}
