// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static io.deimos.agent.store.TraceStream.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** All events, of which the store keeps a part. */
class RecordedTracesTest {
  private static final String NAME = "process Place";
  private static final long MILLI = 1_000_000;

  private final TraceStream stream = new TraceStream(StoreLimits.DEFAULT);

  private void seconds(int seconds, int ordinary, int failing) {
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < ordinary; i++) {
        stream.ordinary(2);
      }
      for (int i = 0; i < failing; i++) {
        stream.failing(10, new IllegalStateException("declined"));
      }
      stream.pass(SECOND);
    }
    stream.pass(40 * SECOND);
  }

  private RecordedTraces.Counted counted() {
    return Objects.requireNonNull(stream.store().recorded().byName().get(NAME));
  }

  private TraceGroup kept() {
    return stream.store().groups(1, false, TraceQuery.of("")).groups().get(0);
  }

  @Test
  void recorded_moreThanIsKept_countsAllTracesAndTheirTrouble() {
    seconds(120, 200, 10);
    RecordedTraces all = stream.store().recorded();
    assertThat(all.traces()).isEqualTo(120 * 210);
    assertThat(all.trouble()).isEqualTo(120 * 10);
    assertThat(counted().traces()).isEqualTo(all.traces());
    assertThat(counted().trouble()).isEqualTo(all.trouble());
    assertThat(counted().measured()).isEqualTo(all.traces());
    assertThat(kept().traces()).isLessThan(120 * 100);
  }

  @Test
  void recorded_percentiles_areOfAllTraces_andNotOfThoseKept() {
    seconds(120, 200, 10);
    assertThat(counted().p50Nanos()).isBetween(40 * MILLI, 60 * MILLI);
    assertThat(counted().p99Nanos()).isBetween(1_100 * MILLI, 1_700 * MILLI);
    assertThat(kept().trouble() * 10).as("most of those kept").isGreaterThan(kept().traces());
  }

  @Test
  void recorded_moreThanIsTaken_countsAllAndSaysOfHowManyTheDurationIsKnown() {
    seconds(20, 3_000, 0);
    assertThat(counted().traces()).isEqualTo(20 * 3_000);
    assertThat(counted().measured()).isBetween(1_000L, 20 * 2_000L);
    assertThat(counted().p50Nanos()).isBetween(40 * MILLI, 60 * MILLI);
  }

  @Test
  void recorded_ofOtherProcesses_isTheirs() {
    stream.failingOverNodes(12, new IllegalStateException("declined"));
    stream.pass(60 * SECOND);
    assertThat(stream.store().recorded().traces()).isZero();
    assertThat(stream.store().recorded().trouble()).isZero();
  }

  @Test
  void recorded_veryManyNames_areToldApartWithinTheBound() {
    RootCounts roots = new RootCounts(0);
    for (int i = 0; i < 10_000; i++) {
      roots.ended("GET /" + i, MILLI, i % 10 == 0, true);
    }
    roots.ended("x".repeat(10_000), MILLI, true, true);
    RecordedTraces all = roots.snapshot();
    assertThat(all.byName()).hasSize(RootCounts.MAX_NAMES);
    assertThat(all.trouble()).isEqualTo(1_001);
    assertThat(roots.bytes()).isLessThan(1 << 19);
  }
}
