// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each batch is in one bucket of each kind, and nothing is lost when a link ends. */
class FlushProfileTest {
  private final FlushProfile profile = new FlushProfile();

  @Test
  void flushed_atAndBeyondABound_fallsIntoItsBucketAndTheNext() {
    profile.flushed(FlushReason.DRAINED, 4, 64);
    profile.flushed(FlushReason.DRAINED, 5, 65);
    profile.flushed(FlushReason.MESSAGES, 1_000_000, 100L << 20);
    Batches batches = profile.snapshot();
    assertThat(batches.count()).isEqualTo(3);
    assertThat(batches.count(FlushReason.DRAINED)).isEqualTo(2);
    assertThat(batches.count(FlushReason.MESSAGES)).isEqualTo(1);
    assertThat(at(Batches.messageBounds(), batches.messages(), 4)).isEqualTo(1);
    assertThat(at(Batches.messageBounds(), batches.messages(), 8)).isEqualTo(1);
    assertThat(batches.messages()[Batches.messageBounds().length]).isEqualTo(1);
    assertThat(at(Batches.byteBounds(), batches.bytes(), 64)).isEqualTo(1);
    assertThat(at(Batches.byteBounds(), batches.bytes(), 128)).isEqualTo(1);
    assertThat(batches.bytes()[Batches.byteBounds().length]).isEqualTo(1);
    assertThat(batches.messageSum()).isEqualTo(1_000_009);
    assertThat(batches.byteSum()).isEqualTo((100L << 20) + 129);
    assertThat(batches.timed()).isZero();
  }

  private static long at(long[] bounds, long[] counts, long bound) {
    return counts[Arrays.binarySearch(bounds, bound)];
  }

  @Test
  void took_ofSomeBatches_isCountedApart() {
    profile.flushed(FlushReason.IDLE, 1, 100);
    profile.flushed(FlushReason.IDLE, 1, 100);
    profile.took(2_600);
    Batches batches = profile.snapshot();
    assertThat(batches.count()).isEqualTo(2);
    assertThat(batches.timed()).isEqualTo(1);
    assertThat(at(Batches.nanoBounds(), batches.flushNanos(), 5_000)).isEqualTo(1);
    assertThat(batches.flushNanoSum()).isEqualTo(2_600);
  }

  @Test
  void counters_afterALinkHasEnded_stillHaveItsBatchesOnce() {
    Counters counters = new Counters("a", "b", "out", "ordinary");
    FlushProfile first = counters.newProfile();
    first.flushed(FlushReason.IDLE, 1, 100);
    counters.end(first);
    counters.end(first);
    counters.newProfile().flushed(FlushReason.DRAINED, 7, 700);
    RemoteStats.Peer peer = counters.snapshot();
    Batches batches = Objects.requireNonNull(peer.batches());
    assertThat(peer.counts().flushes()).isEqualTo(2);
    assertThat(batches.messageSum()).isEqualTo(8);
    assertThat(batches.count(FlushReason.IDLE)).isEqualTo(1);
  }

  @Test
  void counters_ofAnIncomingStream_haveNoBatches() {
    Counters counters = new Counters("a", "b", "in", "ordinary");
    counters.flushes.increment();
    assertThat(counters.snapshot().counts().flushes()).isEqualTo(1);
    assertThat(counters.snapshot().batches()).isNull();
  }

  @Test
  void nanoBounds_ascendFromAMicrosecondToTenSeconds() {
    assertThat(Batches.nanoBounds()).isSorted().startsWith(1_000, 2_500).endsWith(10_000_000_000L);
  }
}
