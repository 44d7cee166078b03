// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;

/** Spans from another process may be anything. */
class SpanBytesFuzzTest {
  @FuzzTest
  void read_anyBytes_areSpansThatCanBeWrittenOrARefusal(byte[] request) {
    List<SpanData> spans;
    try {
      spans = SpanBytes.read(request, Resource.empty());
    } catch (IllegalArgumentException e) {
      return; // as its contract says
    }
    assertThat(spans).allSatisfy(span -> assertThat(span.getSpanContext().isValid()).isTrue());
    List<SpanData> again = SpanBytes.read(SpanBytes.write(spans), Resource.empty());
    assertThat(again)
        .extracting(span -> span.getSpanContext().getSpanId())
        .containsExactlyInAnyOrderElementsOf(
            spans.stream().map(span -> span.getSpanContext().getSpanId()).toList());
  }
}
