// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.PathPattern;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.Rare;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageTapsTest {
  private static final long SECOND = 1_000_000_000L;

  private final MessageTaps taps = new MessageTaps();
  private final Records records =
      new Records(
          new SpanSink() {
            @Override
            public void accept(SpanView span) {
              taps.offer(span, Objects.requireNonNull(span.actor()), span.sender(), 5);
            }

            @Override
            public void flush() {}
          });
  private final ActorTelemetry payment = Records.actor("pekko://t/user/payments/p-1", "t.Payment");
  private final ActorTelemetry other = Records.actor("pekko://t/user/other", "t.Other");
  private long spans;

  private void processed(ActorTelemetry actor, long endNanos, @Nullable Rare rare) {
    records.processed(1, 2, ++spans, 0, 0, endNanos - 9, 9, actor, other, rare);
  }

  private static TapQuery query(String type, @Nullable String to, int count, int rate) {
    return new TapQuery(type, to == null ? null : PathPattern.of(to, false), count, rate, 60);
  }

  private String open(TapQuery query) {
    return Objects.requireNonNull(taps.open(query, 0)).id();
  }

  private TapState read(String id, int after, long nanos) {
    return Objects.requireNonNull(taps.read(id, after, nanos));
  }

  @Test
  void tap_ofClassAndPath_takesThoseOnly() {
    String id = open(query("Orders.Place", "/user/payments/*", 50, 10));
    String none = open(query("NoSuch", null, 50, 10));
    long now = Clock.now();
    processed(payment, now, new Rare(new IllegalStateException(), null, null, null));
    processed(other, now, null);
    TapState state = read(id, 0, 1);
    assertThat(state.taken()).isEqualTo(1);
    assertThat(state.endedBy()).isEmpty();
    TapState.Line line = state.lines().get(0);
    assertThat(line.actorPath()).isEqualTo(payment.path());
    assertThat(line.senderPath()).isEqualTo(other.path());
    assertThat(line.error()).isEqualTo("java.lang.IllegalStateException");
    assertThat(line.processing().nanos()).isEqualTo(9);
    assertThat(line.processing().waitNanos()).isEqualTo(5);
    assertThat(line.content()).isNull();
    assertThat(read(id, 1, 1).lines()).isEmpty();
    assertThat(read(none, 0, 1).taken()).isZero();
  }

  @Test
  void tap_moreThanItsRate_countsWhatItLeavesOut() {
    String id = open(query("", null, 50, 2));
    long second = Clock.now() / SECOND + 10;
    for (int i = 0; i < 5; i++) {
      processed(payment, second * SECOND + 100 + i, null);
    }
    processed(payment, (second + 1) * SECOND + 100, null);
    TapState state = read(id, 0, 1);
    assertThat(state.taken()).isEqualTo(3);
    assertThat(state.leftOut()).isEqualTo(3);
  }

  @Test
  void tap_withItsCount_endsAndCanStillBeRead() {
    String id = open(query("", null, 2, 100));
    for (int i = 0; i < 5; i++) {
      processed(payment, Clock.now(), null);
    }
    TapState state = read(id, 0, 1);
    assertThat(state.endedBy()).isEqualTo("count");
    assertThat(state.lines()).extracting(TapState.Line::number).containsExactly(1, 2);
    assertThat(read(id, 0, 3600 * SECOND).lines()).hasSize(2);
  }

  @Test
  void tap_timeUpOrNobodyAsking_ends() {
    String asked = open(query("", null, 50, 10));
    String forgotten = open(query("", null, 50, 10));
    assertThat(read(asked, 0, 29 * SECOND).endedBy()).isEmpty();
    assertThat(read(asked, 0, 58 * SECOND).endedBy()).isEmpty();
    assertThat(read(forgotten, 0, 59 * SECOND).endedBy()).isEqualTo("nobody");
    assertThat(read(asked, 0, 60 * SECOND).endedBy()).isEqualTo("time");
    processed(payment, Clock.now(), null);
    assertThat(read(asked, 0, 61 * SECOND).taken()).isZero();
  }

  @Test
  void open_asManyAsThereMayBe_isNull() {
    for (int i = 0; i < MessageTaps.MAX_OPEN; i++) {
      open(query("", null, 1, 10));
    }
    assertThat(taps.open(query("", null, 1, 10), 0)).isNull();
    processed(payment, Clock.now(), null);
    for (int i = 0; i < 3 * MessageTaps.MAX_OPEN; i++) {
      assertThat(taps.open(query("", null, 1, 10), 0)).isNotNull();
      processed(payment, Clock.now(), null);
    }
    assertThat(taps.read("0", 0, 0)).isNull();
  }

  @Test
  void tap_ofLargeMessages_showsTheBeginningAndEndsWithinItsMemory() {
    String id = open(query("", null, 500, 100));
    ContentRule rule = new ContentRule(false, 60_000, (message, text) -> text.replace("7", "*"));
    Content content = Content.of("17" + "x".repeat(50_000), rule);
    long second = Clock.now() / SECOND;
    for (int i = 0; i < 400; i++) {
      processed(payment, (second + i) * SECOND, Rare.with(null, content));
    }
    TapState state = read(id, 0, 1);
    assertThat(state.endedBy()).isEqualTo("memory");
    assertThat(state.lines().get(0).content()).startsWith("1*xxx").hasSizeLessThan(1100);
    assertThat(taps.bytes()).isPositive().isLessThanOrEqualTo(256 << 10);
  }
}
