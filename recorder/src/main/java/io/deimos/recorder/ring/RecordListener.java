// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

/** Hears of records as they leave their ring, on the drainer's thread. */
public interface RecordListener {
  /**
   * One record.
   *
   * @param span valid during the call only
   * @param threadId of the thread that wrote it
   */
  void heard(SpanView span, long threadId);
}
