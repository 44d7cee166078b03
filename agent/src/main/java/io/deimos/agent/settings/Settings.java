// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import org.jspecify.annotations.Nullable;

/**
 * The settings of this process, checked. Immutable.
 *
 * @param enabled false: nothing is woven, no thread runs
 * @param tracing whether spans are recorded
 * @param ringCapacity records per dispatcher thread: a power of two in [64, 1048576], 64 bytes each
 * @param backlogCapacity records that wait for a slow exporter, in [0, 16777216], 64 bytes each
 * @param export by which way spans leave
 * @param metrics whether messages are counted and timed
 * @param page whether the page is served
 * @param pagePort in [0, 65535]; 0 takes a free one
 * @param tracesPerSecond how many new traces a second the page keeps at most, in [1, 100000]
 * @param spansKept how many spans the page keeps in all, in [100, 10000000]
 * @param selfTest whether the hooks are tested on the first actor system
 * @param reportFile where a summary is written when the JVM ends, or null
 */
public record Settings(
    boolean enabled,
    boolean tracing,
    int ringCapacity,
    int backlogCapacity,
    ExportWay export,
    boolean metrics,
    boolean page,
    int pagePort,
    int tracesPerSecond,
    int spansKept,
    boolean selfTest,
    @Nullable String reportFile) {

  /** True if anything is recorded at all. */
  public boolean isOn() {
    return enabled && (tracing || metrics);
  }
}
