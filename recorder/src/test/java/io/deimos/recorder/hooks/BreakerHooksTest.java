// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.woven.RefFields;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each test has breakers of its own name. */
class BreakerHooksTest {
  /** The parts of Pekko's breaker that matter. */
  private static final class Pekkos implements RefFields {
    private @Nullable Object identity;

    static Pekkos named(String name) {
      Pekkos breaker = new Pekkos();
      BreakerHooks.made(breaker);
      BreakerHooks.named(breaker, name);
      return breaker;
    }

    @Override
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    public void deimos$identity(@Nullable Object to) {
      identity = to;
    }
  }

  private static long counted(Metric metric, String... values) {
    long[] counts = metric.tally().read().get(List.of(values));
    return counts == null ? 0 : counts[0];
  }

  @Test
  void made_withoutAName_isToldByTheClassThatMadeIt() {
    Pekkos breaker = new Pekkos();
    BreakerHooks.made(breaker);
    // Whatever begins with the recorder's package is passed over, this test too.
    BreakerHooks.rejected(breaker);
    assertThat(breaker.identity).isInstanceOf(Breaker.class);
    assertThat(((Breaker) java.util.Objects.requireNonNull(breaker.identity)).name())
        .doesNotStartWith("io.deimos.recorder.")
        .doesNotStartWith("java.");
  }

  @Test
  void changed_whileAnotherThreadChangesItOnceMore_isCountedAndToldAsItIsNow() {
    Pekkos breaker = Pekkos.named("raced");
    BreakerHooks.changed(breaker, "open", "open");
    BreakerHooks.changed(breaker, "closed", "closed");
    BreakerHooks.changed(breaker, "half_open", "closed");
    for (String state : List.of("open", "half_open", "closed")) {
      assertThat(counted(Metric.BREAKER_TRANSITIONS, "raced", state)).as(state).isEqualTo(1);
    }
    Readings readings = new Readings();
    BreakerHooks.read(readings);
    assertThat(readings.of(Metric.BREAKERS))
        .containsEntry(List.of("raced", "closed"), 1L)
        .containsEntry(List.of("raced", "half_open"), 0L);
  }

  @Test
  void read_breakers_areToldByTheirState() {
    Pekkos one = Pekkos.named("states");
    Pekkos two = Pekkos.named("states");
    BreakerHooks.changed(two, "half_open", "half_open");
    Readings readings = new Readings();
    BreakerHooks.read(readings);
    assertThat(readings.of(Metric.BREAKERS))
        .containsEntry(List.of("states", "closed"), 1L)
        .containsEntry(List.of("states", "half_open"), 1L)
        .containsEntry(List.of("states", "open"), 0L);
    assertThat(one.identity).as("kept until here").isNotNull();
  }

  @Test
  void rejected_calls_areCounted() {
    Pekkos breaker = Pekkos.named("rejecting");
    BreakerHooks.rejected(breaker);
    BreakerHooks.rejected(breaker);
    assertThat(counted(Metric.BREAKER_REJECTED, "rejecting")).isEqualTo(2);
  }
}
