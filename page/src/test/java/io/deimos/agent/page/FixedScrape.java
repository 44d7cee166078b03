// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.metrics.ScrapedText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The same text whenever somebody collects. */
public record FixedScrape(String text) implements ScrapedText, ScrapedText.Collected {
  @Override
  public String contentType(@Nullable String accepted) {
    return "text/plain";
  }

  @Override
  public Collected collect() {
    return this;
  }

  @Override
  public long lines() {
    return 1;
  }

  @Override
  public void writeTo(OutputStream out, @Nullable String accepted, long mostLines)
      throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
