// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentScrapeTest {
  private long nowNanos;
  private int collections;

  private final RecentScrape scrape =
      new RecentScrape(
          new ScrapedText() {
            @Override
            public String contentType(@Nullable String accepted) {
              return "a".equals(accepted) ? "text/a" : "text/b";
            }

            @Override
            public void writeTo(OutputStream out, @Nullable String accepted) throws IOException {
              String text = contentType(accepted) + " " + ++collections;
              out.write(text.getBytes(StandardCharsets.UTF_8));
            }
          },
          () -> nowNanos,
          100_000);

  private String get(String accepted) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    scrape.writeTo(out, accepted);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writeTo_withinASecond_collectsOnceForEachFormat() throws IOException {
    assertThat(get("a")).isEqualTo("text/a 1");
    nowNanos += TimeUnit.MILLISECONDS.toNanos(999);
    assertThat(get("a")).isEqualTo("text/a 1");
    assertThat(get("x")).isEqualTo("text/b 2");
    assertThat(get("y")).isEqualTo("text/b 2");
    nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(get("a")).isEqualTo("text/a 3");
  }

  @Test
  void writeTo_moreThanOneAnswerMayTake_isRefused() {
    RecentScrape endless =
        new RecentScrape(
            new ScrapedText() {
              @Override
              public String contentType(@Nullable String accepted) {
                return "text/plain";
              }

              @Override
              public void writeTo(OutputStream out, @Nullable String accepted) throws IOException {
                while (true) {
                  out.write(new byte[1_000]);
                }
              }
            },
            () -> nowNanos,
            100_000);
    assertThatExceptionOfType(AnswerMemory.ExceededException.class)
        .isThrownBy(() -> endless.writeTo(OutputStream.nullOutputStream(), null));
  }
}
