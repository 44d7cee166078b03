// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.counts.Readings;

/** Reads gauges off one actor system. Called by one thread. */
public interface GaugeReader {
  /**
   * Reads them.
   *
   * @return false if the actor system has ended and there will never be anything to read again
   */
  boolean read(Readings into);
}
