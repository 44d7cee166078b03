// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import org.junit.jupiter.api.Test;

/** {@code deimos.page.memory} holds while more comes than the page can keep. */
@OnOneJdk
class PageFloodTest {
  private static final long MEMORY = 8L << 20;

  /** Seven spans each, one of them failed, with a stack trace. */
  private static final int TRACES = 20_000;

  private final Jdk jdk;

  PageFloodTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void flood_ofTracesWithTrouble_isKeptWithinTheBoundAndSaid() {
    try (AgentJvm jvm =
        AgentJvm.on(jdk)
            .eitherForm()
            .property("deimos.page.enabled", "true")
            .property("deimos.page.port", "0")
            .property("deimos.page.memory", "8MiB")
            .property("deimos.page.traces-per-second", "100000")
            .start("page-flood")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.tell("run flood " + TRACES);
      jvm.awaitOut(
          "the end of the flood",
          line -> {
            assertThat(kept(page)).isLessThanOrEqualTo(MEMORY);
            return line.equals("@done flood");
          });
      new Eventually()
          .await(
              () -> page.json("/api/state").getLong("recorder.store.spansKept") > 0,
              Eventually.DEADLINE,
              () -> "that the page has some of it");
      long kept = kept(page);
      Config store = page.json("/api/state").getConfig("recorder.store");
      assertThat(kept).as("it is used").isBetween(MEMORY / 8, MEMORY);
      assertThat(store.getLong("spansKept")).isLessThanOrEqualTo(2_048);
      jvm.tell("end");
      assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
    }
  }

  private static long kept(RunningPage page) {
    Scrape scrape = Scrape.of(page);
    return (long)
        (scrape.value("deimos_memory_usage_bytes", "\"store\"")
            + scrape.value("deimos_memory_usage_bytes", "\"observer\""));
  }
}
