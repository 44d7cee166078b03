// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A process that knows the token and has joined, and then sends spans without end, whatever the
 * page has allowed it to. It speaks the link's protocol by itself.
 */
final class FloodingNode {
  private static final int HELLO = 0;
  private static final int CARD = 2;
  private static final int SPANS = 3;
  private static final int MAX_FRAMES = 100_000;
  private static final int SPANS_OF_A_FRAME = 200;
  private static final int NUMBERS_OF_A_CARD = 11;

  private FloodingNode() {}

  /** Joins and floods, until the page has enough. */
  static void flood(int port, String token, String id) throws Exception {
    String number = "1".repeat(64);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(
          ("GET /api/v1/link HTTP/1.1\r\nHost: 127.0.0.1:"
                  + port
                  + "\r\nConnection: Upgrade\r\nUpgrade: deimos-link\r\nDeimos-Number: "
                  + number
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      Matcher theirs =
          Pattern.compile("Deimos-Number: ([0-9a-f]{64})").matcher(head(socket.getInputStream()));
      assertThat(theirs.find()).isTrue();
      send(out, HELLO, proof(token, number, theirs.group(1)).getBytes(StandardCharsets.US_ASCII));
      send(out, CARD, card(id));
      byte[] spans = spans();
      int sent = 0;
      try {
        while (sent++ < MAX_FRAMES) {
          send(out, SPANS, spans);
        }
      } catch (IOException e) {
        // The page has had enough.
      }
      assertThat(sent).as("frames until the page had enough").isLessThan(MAX_FRAMES);
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int read = in.read();
      assertThat(read).as(head.toString()).isNotNegative();
      head.append((char) read);
    }
    return head.toString();
  }

  private static String proof(String token, String mine, String theirs)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    String said = String.join("|", "deimos", "joins", "0", mine, theirs);
    return HexFormat.of().formatHex(mac.doFinal(said.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void send(DataOutputStream out, int type, byte[] content) throws IOException {
    out.writeInt(content.length);
    out.writeByte(type);
    out.write(content);
  }

  private static byte[] card(String id) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(id);
    out.writeUTF("flood");
    out.writeByte(0); // no actor system
    for (String text : List.of("0.1.0", "1.7.0", "17", "")) {
      out.writeUTF(text);
    }
    for (int i = 0; i < NUMBERS_OF_A_CARD; i++) {
      out.writeLong(1);
    }
    return bytes.toByteArray();
  }

  private static byte[] spans() {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder();
    for (int i = 1; i <= SPANS_OF_A_FRAME; i++) {
      scope.addSpans(
          Span.newBuilder()
              .setTraceId(bytes(16, i))
              .setSpanId(bytes(8, i))
              .setName("flood")
              .setStartTimeUnixNano(i)
              .setEndTimeUnixNano(i + 1));
    }
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
        .build()
        .toByteArray();
  }

  private static ByteString bytes(int count, int last) {
    return ByteString.copyFrom(ByteBuffer.allocate(count).putInt(count - 4, last).array());
  }
}
