// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.ring.Ring;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the records of what is no message: writes, recoveries, starts, projections. */
final class OperationRecord {
  private OperationRecord() {}

  /**
   * An operation of a sampled trace has ended, on this thread.
   *
   * @param nanos how long it took
   * @param messageClass the number of the class that stands for it; 0 for none
   */
  static void write(Operation ended, long nanos, int messageClass, @Nullable Throwable error) {
    ThreadState s = ThreadState.currentOrNew();
    s.lane()
        .write(
            ended.trace().hi(),
            ended.trace().lo(),
            ended.spanId(),
            ended.parentId(),
            ended.startNanos(),
            ended.startNanos(),
            nanos,
            messageClass,
            Ring.FLAG_OPERATION,
            ended.actor().id(),
            new Rare(error, null, null, null, ended.link(), false, List.of(), ended));
    s.leaveLane();
  }
}
