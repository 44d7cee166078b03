// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
    new QuietMoment(AN_HOUR, this::busyAtFirst, nanos -> nanos).await();
    assertThat(asked.get()).isEqualTo(6);
  }

  /** As in a container whose limit is used up: it takes nothing, and its threads wait. */
  @Test
  void await_processThatGetsNothing_waitsUntilItGetsSomething() {
    AtomicInteger slept = new AtomicInteger();
    QuietMoment.Sleep late =
        nanos -> nanos + (slept.incrementAndGet() == 15 ? TimeUnit.MILLISECONDS.toNanos(75) : 0);
    Supplier<Optional<Duration>> nothing = () -> Optional.of(Duration.ZERO);
    new QuietMoment(AN_HOUR, nothing, late).await();
    assertThat(slept.get()).isEqualTo(10);
    new QuietMoment(AN_HOUR, nothing, late).await();
    assertThat(slept.get()).isEqualTo(30);
  }

  @Test
  void await_processThatIsNeverQuiet_endsInTime() {
    new QuietMoment(
            TimeUnit.MILLISECONDS.toNanos(20),
            () -> Optional.of(Duration.ofHours(asked.incrementAndGet())),
            QuietMoment::sleep)
        .await();
    assertThat(asked.get()).isPositive();
  }

  @Test
  void await_systemThatDoesNotTell_endsInTime() {
    new QuietMoment(TimeUnit.MILLISECONDS.toNanos(20), Optional::empty, QuietMoment::sleep).await();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void await_noTime_doesNotAsk() {
    new QuietMoment(0, this::busyAtFirst, QuietMoment::sleep).await();
    assertThat(asked.get()).isZero();
  }

  @Test
  void await_interrupted_endsAndSaysSo() {
    Thread.currentThread().interrupt();
    new QuietMoment(AN_HOUR, this::busyAtFirst, QuietMoment::sleep).await();
    assertThat(Thread.interrupted()).isTrue();
  }
}
