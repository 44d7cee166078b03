// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.opentelemetry.sdk.resources.Resource;

/** Whatever comes as OTLP is read or refused. */
class OtlpJsonFuzzTest {
  @FuzzTest
  void json_anyBytes_isARequestOrRefused(byte[] json) {
    byte[] request;
    try {
      request = OtlpSignal.toProtobuf(json);
    } catch (IllegalArgumentException e) {
      return;
    }
    assertThat(request.length).isLessThanOrEqualTo(3 * json.length);
    read(request);
  }

  @FuzzTest
  void protobuf_anyBytes_isReadOrRefused(byte[] request) {
    read(request);
  }

  private static void read(byte[] request) {
    for (OtlpSignal signal : OtlpSignal.values()) {
      try {
        long count = signal.count(request);
        assertThat(count).isBetween(0L, (long) request.length);
        if (signal == OtlpSignal.TRACES) {
          assertThat(SpanBytes.read(request, said -> Resource.empty(), Integer.MAX_VALUE).size())
              .isLessThanOrEqualTo((int) count);
        }
      } catch (IllegalArgumentException e) {
        // It is no request of this signal.
      }
    }
  }
}
