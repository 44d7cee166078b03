// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutageTest {
  private final List<String> problems = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private long nowNanos;
  private final Outage outage = new Outage("spans", problems::add, said::add, () -> nowNanos);

  @Test
  void failed_manyTimes_isOneLineWithTargetReasonAndWayOut() {
    for (int i = 0; i < 1000; i++) {
      outage.failed("http://c:1", "Connection refused " + i);
      nowNanos += TimeUnit.SECONDS.toNanos(1);
    }
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith("spans could not be exported to http://c:1 (Connection refused 0);")
        .contains("otel.exporter.otlp.endpoint");
    assertThat(said).isEmpty();
  }

  @Test
  void succeeded_afterAnOutage_isSaidAndTheNextIsToldAgain() {
    outage.succeeded();
    outage.failed("c", null);
    outage.succeeded();
    outage.succeeded();
    assertThat(said).containsExactly("spans are exported again");
    outage.failed("c", null);
    outage.succeeded();
    assertThat(said).as("too soon to be said again").hasSize(1);
    nowNanos += TimeUnit.MINUTES.toNanos(2);
    outage.failed("c", "x");
    assertThat(said).hasSize(2);
    assertThat(said.get(1)).contains("c (x)");
    assertThat(problems).hasSize(1);
  }
}
