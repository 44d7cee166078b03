// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class SpanCounterTest {
  @Test
  void count_twoResources_sumsTheirSpans() {
    byte[] first = field(1, scopeSpans(3));
    byte[] second = field(1, join(scopeSpans(1), scopeSpans(2)));
    byte[] request = join(first, second);
    assertThat(SpanCounter.count(request, 0, request.length)).isEqualTo(6);
  }

  @Test
  void count_otherFieldsOfEveryWireType_areSkipped() {
    byte[] fixed64 = {(byte) ((9 << 3) | 1), 1, 2, 3, 4, 5, 6, 7, 8};
    byte[] fixed32 = {(byte) ((9 << 3) | 5), 1, 2, 3, 4};
    byte[] varint = {(byte) (9 << 3), (byte) 0x80, 1};
    byte[] resource = field(1, new byte[300]);
    byte[] request = field(1, join(resource, fixed64, fixed32, varint, scopeSpans(2)));
    assertThat(SpanCounter.count(request, 0, request.length)).isEqualTo(2);
  }

  @Test
  void count_bufferLongerThanTheMessage_stopsAtItsEnd() {
    byte[] request = field(1, scopeSpans(2));
    byte[] buffer = join(request, request);
    assertThat(SpanCounter.count(buffer, 0, request.length)).isEqualTo(2);
  }

  @Test
  void count_nothing_isZero() {
    assertThat(SpanCounter.count(new byte[0], 0, 0)).isZero();
  }

  @Test
  void count_cutOff_isRefused() {
    byte[] request = field(1, scopeSpans(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpanCounter.count(request, 0, request.length - 1));
  }

  private static byte[] scopeSpans(int spans) {
    byte[] body = field(1, new byte[] {1, 2});
    for (int i = 0; i < spans; i++) {
      body = join(body, field(2, new byte[200]));
    }
    return field(2, body);
  }

  private static byte[] field(int number, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write((number << 3) | 2);
    int length = body.length;
    while (length > 0x7f) {
      out.write((length & 0x7f) | 0x80);
      length >>>= 7;
    }
    out.write(length);
    out.writeBytes(body);
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
