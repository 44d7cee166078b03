// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IdsTest {
  @Test
  void parse_isWhatTheIdentifierWasMadeOf() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 1_000; i++) {
      long hi = random.nextLong() >>> random.nextInt(64);
      long lo = random.nextLong();
      String trace = TraceId.fromLongs(hi, lo);
      assertThat(Ids.parse(trace, 0)).isEqualTo(hi);
      assertThat(Ids.parse(trace, 16)).isEqualTo(lo);
    }
  }

  @Test
  void parse_knowsEachDigit() {
    assertThat(Ids.parse("0123456789abcdef", 0)).isEqualTo(0x0123456789abcdefL);
    assertThat(Ids.parse("fedcba9876543210", 0)).isEqualTo(0xfedcba9876543210L);
  }

  @Test
  void isTraceAndIsSpan_compareAllOfIt() {
    SpanContext span =
        SpanContext.create(
            TraceId.fromLongs(1, 2),
            SpanId.fromLong(3),
            TraceFlags.getSampled(),
            TraceState.getDefault());
    assertThat(Ids.isTrace(span, 1, 2)).isTrue();
    assertThat(Ids.isTrace(span, 1, 3)).isFalse();
    assertThat(Ids.isTrace(span, 2, 2)).isFalse();
    assertThat(Ids.isSpan(span, 3)).isTrue();
    assertThat(Ids.isSpan(span, 4)).isFalse();
    assertThat(Ids.isTrace(SpanContext.getInvalid(), 0, 0)).isFalse();
    assertThat(Ids.isSpan(SpanContext.getInvalid(), 0)).isFalse();
  }
}
