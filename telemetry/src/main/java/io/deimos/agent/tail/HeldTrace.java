// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.deimos.recorder.ring.HeldRecords;
import java.util.ArrayList;
import java.util.List;

/** The spans of a trace that is not decided yet: ours strung together, and the others'. */
final class HeldTrace {
  final long sinceNanos;
  int first = HeldRecords.NONE;
  int last = HeldRecords.NONE;
  int spans;
  int weight;
  private List<OtherSpan> others = List.of();

  HeldTrace(long sinceNanos) {
    this.sinceNanos = sinceNanos;
  }

  void add(OtherSpan span) {
    if (others.isEmpty()) {
      others = new ArrayList<>(4);
    }
    others.add(span);
    weight += span.weight();
  }

  List<OtherSpan> others() {
    return others;
  }
}
