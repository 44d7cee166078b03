// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS with the user's own provider of engines. */
class TlsTest {
  @TempDir static Path directory;

  @BeforeAll
  static void makeKeys() throws Exception {
    makeKey("node");
    makeKey("stranger");
  }

  private static void makeKey(String name) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                directory.resolve(name).toString(),
                "-storepass",
                "changeit")
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static String tls(String key) {
    return """
        pekko.remote.artery {
          transport = tls-tcp
          ssl.config-ssl-engine {
            key-store = "%1$s", trust-store = "%1$s"
            key-store-password = changeit, key-password = changeit, trust-store-password = changeit
            enabled-algorithms = [TLS_AES_128_GCM_SHA256], protocol = "TLSv1.3"
            require-mutual-authentication = on
            hostname-verification = off
          }
        }
        """
        .formatted(directory.resolve(key));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void tell_overTls_arrivesInOrder(boolean first, boolean second) {
    String queue = "pekko.remote.artery.advanced.outbound-message-queue-size = 20000";
    try (Node a = Node.start("a", first ? Node.OURS : Node.STOCK, tls("node"), queue);
        Node b = Node.start("b", second ? Node.OURS : Node.STOCK, tls("node"), queue)) {
      ActorRef there = a.find(b, "/user/echo");
      for (int i = 0; i < 5000; i++) {
        there.tell(i, a.receiver);
      }
      Node.await("all", () -> a.received.size() >= 5000);
      assertThat(a.received).isEqualTo(IntStream.range(0, 5000).boxed().toList());
    }
  }

  @Test
  void peer_withoutTrustedKey_isRefusedWithAWarningAndOthersAreNot() throws IOException {
    try (Node a = Node.start("a", Node.OURS, tls("node"));
        Node b = Node.start("b", Node.OURS, tls("node"));
        Node stranger = Node.start("c", Node.OURS, tls("stranger"))) {
      ActorRef there = a.find(b, "/user/receiver");
      stranger
          .system
          .actorSelection(b.address() + "/user/receiver")
          .tell("intruder", ActorRef.noSender());
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
        plain
            .getOutputStream()
            .write(
                "AKKA\u0002 and so on, without TLS"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        plain.getOutputStream().flush();
        Node.await(
            "refusals",
            () ->
                b.warnings.stream()
                        .filter(line -> line.contains("is closed, because of TLS"))
                        .count()
                    >= 2);
      }
      there.tell("friend", ActorRef.noSender());
      Node.await("friend", () -> b.received.contains("friend"));
      assertThat(b.received).doesNotContain("intruder");
    }
  }
}
