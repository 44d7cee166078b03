// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CorrectedTraceTest {
  private static final String TRACE = "0000000000000001000000000000000a";
  private static final String OTHER = "00000000000000bb";
  private static final long BEGAN = 1_700_000_000_000_000_000L;
  private static final long AHEAD = 120_000_000_000L;

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);

  private static SpanData span(int id, int parent, String node, long start, long took) {
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName("span " + id)
        .setKind(SpanKind.CONSUMER)
        .setStatus(StatusData.error())
        .setResource(
            node.isEmpty()
                ? Resource.empty()
                : Resource.create(Attributes.of(TraceStore.NODE, node)))
        .setSpanContext(context(id))
        .setParentSpanContext(parent == 0 ? SpanContext.getInvalid() : context(parent))
        .setStartEpochNanos(start)
        .setEndEpochNanos(start + took)
        .build();
  }

  private static SpanContext context(int id) {
    return SpanContext.create(
        TRACE, "%016x".formatted(id), TraceFlags.getSampled(), TraceState.getDefault());
  }

  /** Sent at 1 ms, arrived at 3 ms on a node two minutes ahead, whose answer came at 6 ms. */
  private StoredTrace trace() {
    store.adopt(
        List.of(
            span(1, 0, "", BEGAN, 10_000_000),
            span(2, 1, OTHER, BEGAN + AHEAD + 3_000_000, 2_000_000),
            span(3, 2, "", BEGAN + 6_000_000, 1_000_000)));
    return Objects.requireNonNull(store.trace(TRACE));
  }

  @Test
  void times_ofAClockTwoMinutesAhead_areThePagesOwn() {
    StoredTrace trace = trace();
    assertThat(trace.summary().durationNanos()).isGreaterThan(AHEAD);
    Map<String, ClockOffset> clocks = Map.of(OTHER, new ClockOffset(AHEAD, 50_000));
    CorrectedTrace corrected = CorrectedTrace.of(trace, clocks);
    assertThat(corrected.startEpochNanos()).isEqualTo(BEGAN);
    assertThat(corrected.durationNanos()).isEqualTo(10_000_000);
    assertThat(corrected.spans())
        .extracting(SpanData::getName)
        .containsExactly("span 1", "span 2", "span 3");
    assertThat(corrected.of(corrected.spans().get(1))).isEqualTo(AHEAD);
    Transits ways = Transits.of(store, "a", clocks);
    assertThat(ways.median("a", OTHER)).isEqualTo(3_000_000);
    assertThat(ways.least(OTHER, "a")).isEqualTo(3_000_000);
    assertThat(ways.count("a", "c")).isZero();
  }

  @Test
  void times_ofAClockThatMayBeRight_stay() {
    StoredTrace trace = trace();
    CorrectedTrace same = CorrectedTrace.of(trace, Map.of(OTHER, new ClockOffset(20_000, 50_000)));
    assertThat(same.clocks()).isEmpty();
    assertThat(same.durationNanos()).isEqualTo(trace.summary().durationNanos());
  }
}
