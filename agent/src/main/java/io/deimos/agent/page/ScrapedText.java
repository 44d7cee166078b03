// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** What {@code /metrics} answers. Safe for any thread. */
public interface ScrapedText {
  /**
   * The format for what a client accepts.
   *
   * @param accepted its {@code Accept} header, or null
   */
  String contentType(@Nullable String accepted);

  /** How long ago what {@link #writeTo} would write was collected; 0 if it collects anew. */
  default long ageMillis(@Nullable String accepted) {
    return 0;
  }

  /** Collects all metrics and writes them in that format. */
  void writeTo(OutputStream out, @Nullable String accepted) throws IOException;
}
