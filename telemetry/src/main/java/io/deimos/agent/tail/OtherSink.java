// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.opentelemetry.sdk.trace.ReadableSpan;

/** Takes the spans of other instrumentations that are exported. Called by one thread at a time. */
public interface OtherSink {
  /** How many spans can be taken now without losing any. */
  int room();

  void accept(ReadableSpan span);
}
