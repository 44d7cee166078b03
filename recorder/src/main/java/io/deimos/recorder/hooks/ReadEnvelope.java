// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.trace.Link;
import org.jspecify.annotations.Nullable;

/** An envelope that a projection has read and will process, with what belongs to it. */
final class ReadEnvelope {
  final Object envelope;
  final long readNanos;

  /** The span of processing it, if it has one of its own; null for none. */
  final @Nullable Operation operation;

  /** The data that the user's telemetry hung on the envelope. */
  @Nullable Object theirs;

  /** True once there is nothing more to come of it. */
  volatile boolean done;

  ReadEnvelope(Object envelope, long readNanos, @Nullable Operation operation) {
    this.envelope = envelope;
    this.readNanos = readNanos;
    this.operation = operation;
  }

  /** Where its event was written. */
  @Nullable Link link() {
    return operation == null ? null : operation.link();
  }
}
