// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.clock.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the samples that a test makes up. */
public final class FakeSource implements SampleSource {
  static final ProfileLimits LIMITS = new ProfileLimits(1_000_000, 1000, 150);

  private final CountDownLatch opened = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final @Nullable String refusal;
  private volatile @Nullable Target target;

  /**
   * A source.
   *
   * @param refusal why it takes none; null if it does
   */
  public FakeSource(@Nullable String refusal) {
    this.refusal = refusal;
  }

  /** A profile by it. */
  public Profile profile(Consumer<String> problems, long leaseSeconds) {
    return new Profile(this::open, problems, () -> LIMITS, TimeUnit.SECONDS.toNanos(leaseSeconds));
  }

  private SampleSource open(Target into) throws UnavailableException {
    if (refusal != null) {
      opened.countDown();
      throw new UnavailableException(refusal);
    }
    long reading = Clock.now();
    into.clocks(Clock.epochNanos(reading), reading);
    target = into;
    opened.countDown();
    return this;
  }

  /** A sample on another thread than actors', which needs no record. */
  public void sample(String... stack) {
    Target into = target;
    if (into != null) {
      into.seen(Seen.running(-5, Clock.epochNanos(Clock.now())), List.of(stack), false);
    }
  }

  public boolean awaitOpened() throws InterruptedException {
    return opened.await(60, TimeUnit.SECONDS);
  }

  public boolean awaitClosed() throws InterruptedException {
    return closed.await(60, TimeUnit.SECONDS);
  }

  @Override
  public String event() {
    return "test.Sample";
  }

  @Override
  public long waitNanos() {
    return 1_000_000;
  }

  @Override
  public void limit(ProfileLimits to) {}

  @Override
  public void compareClocks() {}

  @Override
  public void close() {
    closed.countDown();
  }
}
