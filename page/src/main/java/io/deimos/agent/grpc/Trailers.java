// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;

/** The end of a call of gRPC, as headers. */
final class Trailers {
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";
  private static final int MAX_SAID = 1024;

  private Trailers() {}

  static List<Header> ok() {
    return List.of(new BasicHeader("grpc-status", "0"));
  }

  static List<Header> of(GrpcRefusal why) {
    List<Header> trailers = new ArrayList<>();
    trailers.add(new BasicHeader("grpc-status", Integer.toString(why.code().number())));
    trailers.add(new BasicHeader("grpc-message", percentEncoded(why.said())));
    if (!why.retry().isZero()) {
      trailers.add(
          new BasicHeader(
              "grpc-status-details-bin",
              Base64.getEncoder().withoutPadding().encodeToString(details(why))));
    }
    return trailers;
  }

  private static String percentEncoded(String said) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : said.getBytes(StandardCharsets.UTF_8)) {
      if (encoded.length() > MAX_SAID) {
        break;
      }
      if (b >= ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append(String.format("%%%02X", b & 0xff));
      }
    }
    return encoded.toString();
  }

  /** A {@code google.rpc.Status} with a {@code RetryInfo}. */
  private static byte[] details(GrpcRefusal why) {
    Duration retry = why.retry();
    byte[] delay = concat(number(1, retry.toSeconds()), number(2, retry.toNanosPart())); // Duration
    byte[] info = field(1, delay);
    byte[] any = concat(field(1, RETRY_INFO.getBytes(StandardCharsets.UTF_8)), field(2, info));
    return concat(
        number(1, why.code().number()),
        concat(field(2, why.said().getBytes(StandardCharsets.UTF_8)), field(3, any)));
  }

  private static byte[] number(int field, long value) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    if (value != 0) {
      to.write(field << 3);
      varint(value, to);
    }
    return to.toByteArray();
  }

  private static byte[] field(int field, byte[] content) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    to.write((field << 3) | 2);
    varint(content.length, to);
    to.writeBytes(content);
    return to.toByteArray();
  }

  private static void varint(long value, ByteArrayOutputStream to) {
    long left = value;
    for (; left > 0x7f; left >>>= 7) {
      to.write((int) (left & 0x7f) | 0x80);
    }
    to.write((int) left);
  }

  private static byte[] concat(byte[] one, byte[] other) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    to.writeBytes(one);
    to.writeBytes(other);
    return to.toByteArray();
  }
}
