// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

/** Takes finished records, on the drainer's thread, which no other thread calls. */
public interface SpanSink {
  /**
   * One record.
   *
   * @param span valid during the call only; the drainer uses it again for the next record
   */
  void accept(SpanView span);

  /** The drainer looks into the rings now, whether or not there is anything in them. */
  default void round() {}

  /** The drainer has handed over what there was; time to pass it on. */
  default void flush() {}

  /**
   * How many records the sink can take now without losing any. The rest waits in the rings. Asked
   * before each drain of a ring.
   */
  default int room() {
    return Integer.MAX_VALUE;
  }
}
