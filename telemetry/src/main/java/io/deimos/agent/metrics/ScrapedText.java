// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The answer of {@code /metrics}. Safe for any thread. */
public interface ScrapedText {
  /**
   * The format for what a client accepts.
   *
   * @param accepted its {@code Accept} header, or null
   */
  String contentType(@Nullable String accepted);

  /** Collects all metrics. */
  Collected collect();

  /** All metrics as they were at one time. */
  interface Collected {
    /** How many lines of text they are. */
    long lines();

    /**
     * Writes them in the format for what a client accepts.
     *
     * @param mostLines beyond it the longest metrics are left out, which the user is told
     */
    void writeTo(OutputStream out, @Nullable String accepted, long mostLines) throws IOException;
  }
}
