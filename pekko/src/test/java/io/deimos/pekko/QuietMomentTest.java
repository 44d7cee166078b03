// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuietMomentTest {
  private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

  private final AtomicInteger asked = new AtomicInteger();

  /** A process on many cores that has come to rest when it is asked for the fifth time. */
  private Optional<Duration> busyAtFirst() {
    return Optional.of(Duration.ofHours(Math.min(asked.incrementAndGet(), 5)));
  }

  @Test
  void await_processThatComesToRest_waitsUntilThen() {
    new QuietMoment(AN_HOUR, this::busyAtFirst).await();
    assertThat(asked.get()).isEqualTo(6);
  }

  @Test
  void await_processThatIsNeverQuiet_endsInTime() {
    new QuietMoment(
            TimeUnit.MILLISECONDS.toNanos(20),
            () -> Optional.of(Duration.ofHours(asked.incrementAndGet())))
        .await();
    assertThat(asked.get()).isPositive();
  }

  @Test
  void await_systemThatDoesNotTell_endsInTime() {
    new QuietMoment(TimeUnit.MILLISECONDS.toNanos(20), Optional::empty).await();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void await_noTime_doesNotAsk() {
    new QuietMoment(0, this::busyAtFirst).await();
    assertThat(asked.get()).isZero();
  }

  @Test
  void await_interrupted_endsAndSaysSo() {
    Thread.currentThread().interrupt();
    new QuietMoment(AN_HOUR, this::busyAtFirst).await();
    assertThat(Thread.interrupted()).isTrue();
  }
}
