// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Body;
import io.deimos.agent.metrics.ScrapedText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentScrapeTest {
  private static final int MAX_BYTES = 100_000;

  private final List<Long> written = new ArrayList<>();
  private long nowNanos;
  private int collections;

  private RecentScrape of(long lines, Lines each) {
    return new RecentScrape(
        new ScrapedText() {
          @Override
          public String contentType(@Nullable String accepted) {
            return "a".equals(accepted) ? "text/a" : "text/b";
          }

          @Override
          public Collected collect() {
            int number = ++collections;
            return new Collected() {
              @Override
              public long lines() {
                return lines;
              }

              @Override
              public void writeTo(OutputStream out, @Nullable String accepted, long most)
                  throws IOException {
                long several = Math.min(most, lines);
                written.add(several);
                for (long i = 0; i < several; i++) {
                  out.write(each.line(contentType(accepted), number));
                }
              }
            };
          }
        },
        () -> nowNanos,
        MAX_BYTES);
  }

  private static String get(RecentScrape scrape, String accepted) throws IOException {
    RecentScrape.Text text = scrape.text(accepted);
    try (GZIPInputStream in = new GZIPInputStream(new Body(text.packed()).read())) {
      byte[] all = in.readAllBytes();
      assertThat(text.length()).isEqualTo(all.length);
      return new String(all, StandardCharsets.UTF_8);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void text_withinASecond_isCollectedOnceForEachFormat() throws IOException {
    RecentScrape scrape = of(1, (type, number) -> bytes(type + " " + number));
    assertThat(get(scrape, "a")).isEqualTo("text/a 1");
    nowNanos += TimeUnit.MILLISECONDS.toNanos(999);
    assertThat(get(scrape, "a")).isEqualTo("text/a 1");
    assertThat(scrape.ageMillis(scrape.text("a"))).isEqualTo(999);
    assertThat(get(scrape, "x")).isEqualTo("text/b 2");
    assertThat(get(scrape, "y")).isEqualTo("text/b 2");
    nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(get(scrape, "a")).isEqualTo("text/a 3");
  }

  /** The names of series stand in all lines, and take next to nothing the second time. */
  @Test
  void text_ofManyTimesWhatOneAnswerMayTake_isWhole() throws IOException {
    String line = "pekko_mailbox_size{pekko_actor_class=\"shop.Cart\"} 1.0\n";
    long lines = 20L * MAX_BYTES / line.length();
    assertThat(get(of(lines, (type, number) -> bytes(line)), "a"))
        .hasSize((int) lines * line.length());
    assertThat(written).containsExactly(lines);
  }

  @Test
  void text_thatIsTooLargeEvenPacked_isBoundedForTenMinutes() throws IOException {
    Random random = new Random(1);
    RecentScrape scrape =
        of(
            1_000,
            (type, number) -> {
              byte[] line = new byte[1_000];
              random.nextBytes(line);
              return line;
            });
    RecentScrape.Text text = scrape.text("a");
    assertThat(text.packed().length()).isBetween(MAX_BYTES / 3L, (long) MAX_BYTES);
    assertThat(written).containsExactly(1_000L, 500L, 250L, 125L, 62L);
    nowNanos += TimeUnit.SECONDS.toNanos(2);
    scrape.text("a");
    assertThat(written).endsWith(62L, 62L);
    nowNanos += TimeUnit.MINUTES.toNanos(11);
    scrape.text("a");
    assertThat(written).hasSize(11);
  }

  @Test
  void text_ofWhichNoLineFits_isRefused() {
    Random random = new Random(1);
    RecentScrape scrape =
        of(
            1,
            (type, number) -> {
              byte[] line = new byte[2 * MAX_BYTES];
              random.nextBytes(line);
              return line;
            });
    assertThatExceptionOfType(AnswerMemory.ExceededException.class)
        .isThrownBy(() -> scrape.text("a"));
  }

  private interface Lines {
    byte[] line(String type, int collection);
  }
}
