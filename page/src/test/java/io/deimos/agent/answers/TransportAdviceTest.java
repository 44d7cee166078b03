// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.Json;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.source.Quantiles;
import io.deimos.recorder.counts.Durations;
import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Advice from the figures of the transport's batches, and how the page gets it. */
class TransportAdviceTest {
  private static final long MILLIS = 1_000_000;
  private static final RemoteStats.Batching DEFAULT =
      new RemoteStats.Batching("shop", true, 256, 128 * 1024, 0);
  private static final RemoteStats.Batching FIVE_MILLIS =
      new RemoteStats.Batching("shop", true, 256, 128 * 1024, 5 * MILLIS);

  /** Batches that end for one reason, each with so many messages on average. */
  private static Batches batches(FlushReason reason, int count, double mean) {
    long[] reasons = new long[FlushReason.values().length];
    reasons[reason.index()] = count;
    long[] lengths = new long[Batches.messageBounds().length + 1];
    lengths[0] = count;
    long[] sizes = new long[Batches.byteBounds().length + 1];
    sizes[2] = count;
    return new Batches(
        reasons,
        lengths,
        sizes,
        new long[Batches.nanoBounds().length + 1],
        Math.round(count * mean),
        count * 200L,
        0);
  }

  private static String ordinary(FlushReason reason, double mean, RemoteStats.Batching settings) {
    return TransportAdvice.of("ordinary", batches(reason, 1000, mean), settings);
  }

  @Test
  void single_withoutInterval_isRight() {
    assertThat(ordinary(FlushReason.IDLE, 1.1, DEFAULT))
        .isEqualTo(
            "Batches of 1.1 messages: nothing waits together here. flush-interval = 0 ms is"
                + " right.");
  }

  @Test
  void several_withoutInterval_isRight() {
    assertThat(ordinary(FlushReason.DRAINED, 14.2, DEFAULT))
        .startsWith("Batches of 14.2 messages")
        .endsWith("flush-interval = 0 ms is right.");
  }

  @Test
  void bounds_endManyBatches_namesTheSettingAndItsPrice() {
    assertThat(ordinary(FlushReason.MESSAGES, 256, DEFAULT))
        .startsWith("100 % of the batches end at max-pending-writes (256 messages).");
    assertThat(ordinary(FlushReason.BYTES, 100, DEFAULT))
        .startsWith("100 % of the batches end at max-pending-bytes (128 KiB).");
    assertThat(ordinary(FlushReason.SERIALIZER, 2, DEFAULT)).contains("encode-on = dispatcher");
  }

  @Test
  void interval_gathersNothing_isToBeSetToZero() {
    assertThat(ordinary(FlushReason.INTERVAL, 1.1, FIVE_MILLIS))
        .isEqualTo(
            "Batches of 1.1 messages, although each waits for up to 5.00 ms: nothing comes"
                + " together here. Set flush-interval = 0 ms.");
  }

  @Test
  void interval_gathersSome_saysWhatItCosts() {
    assertThat(ordinary(FlushReason.INTERVAL, 7, FIVE_MILLIS))
        .startsWith("Batches of 7.0 messages, each after a wait of up to 5.00 ms.");
    assertThat(ordinary(FlushReason.MESSAGES, 200, FIVE_MILLIS))
        .isEqualTo(
            "Batches of 200.0 messages; 0 % of them waited for all of flush-interval (5.00 ms).");
  }

  @Test
  void off_isSaid() {
    assertThat(
            ordinary(FlushReason.MESSAGES, 1, new RemoteStats.Batching("shop", false, 1, 1024, 0)))
        .startsWith("Batching is off");
  }

  @Test
  void few_orOfAStoppedTransport_saysNothing() {
    String nothing = "Too few batches so far to say anything.";
    assertThat(TransportAdvice.of("ordinary", batches(FlushReason.IDLE, 99, 1), DEFAULT))
        .isEqualTo(nothing);
    assertThat(TransportAdvice.of("ordinary", batches(FlushReason.IDLE, 999, 1), null))
        .isEqualTo(nothing);
  }

  @Test
  void otherStreams_areNotAdvised() {
    assertThat(TransportAdvice.of("control", batches(FlushReason.DRAINED, 999, 1), FIVE_MILLIS))
        .endsWith("The settings under deimos.remote.batching are for ordinary messages.");
  }

  @Test
  void flushes_areSlow_blamesThePeer() {
    Batches batches = batches(FlushReason.DRAINED, 1000, 3);
    batches.flushNanos()[Arrays.binarySearch(Batches.nanoBounds(), 50 * MILLIS)] = 1000;
    assertThat(TransportAdvice.of("ordinary", batches, DEFAULT))
        .contains("One flush in a hundred takes 25 ms or more: the network or the peer is slow.");
  }

  @Test
  void bounds_ofFlushTimes_areThoseOfAllDurations() {
    assertThat(Batches.nanoBounds()).isEqualTo(Durations.boundsNanos());
  }

  @Test
  void page_isToldOfOutgoingStreamsTheBusiestFirst() throws IOException {
    StringWriter text = new StringWriter();
    Json json = new Json(text);
    TransportJson.write(
        json,
        List.of(
            peer("quiet", 10, batches(FlushReason.IDLE, 10, 1)),
            peer("busy", 3000, batches(FlushReason.DRAINED, 1000, 3)),
            peer("never", 0, batches(FlushReason.DRAINED, 0, 0)),
            peer("incoming", 9999, null)),
        Map.of("shop", DEFAULT));
    assertThat((List<?>) JsonReader.read(text.toString())).hasSize(2);
    assertThat(text.toString())
        .startsWith("[{\"system\":\"shop\",\"peer\":\"busy\"")
        .contains("\"reasons\":{\"drained\":1000}", "Batches of 3.0 messages", "\"quiet\"")
        .doesNotContain("never", "incoming");
  }

  private static RemoteStats.Peer peer(String name, long messages, @Nullable Batches batches) {
    return new RemoteStats.Peer(
        "shop",
        name,
        "out",
        "ordinary",
        true,
        0,
        new RemoteStats.Counts(messages, 0, 0, 0, 0, 0, 0),
        batches);
  }

  @Test
  void bound_ofAQuantile_isThatOfItsBucket() {
    long[] bounds = {1, 2, 4};
    assertThat(Quantiles.bound(bounds, new long[] {98, 1, 0, 1}, 0.5)).isEqualTo(1);
    assertThat(Quantiles.bound(bounds, new long[] {98, 1, 0, 1}, 0.99)).isEqualTo(2);
    assertThat(Quantiles.bound(bounds, new long[] {0, 0, 0, 1}, 0.99)).isEqualTo(8);
    assertThat(Quantiles.bound(bounds, new long[4], 0.99)).isNaN();
  }
}
