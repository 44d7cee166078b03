// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.http.HttpLoop;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.nodes.ServedTls;
import io.deimos.agent.nodes.SharedToken;
import io.deimos.agent.nodes.TlsFiles;
import io.deimos.agent.otlp.KeyPairs;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporterBuilder;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beyond this machine: TLS says who serves, and the token who may ask and join. */
class PageTlsTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final String NODES = "/api/v1/nodes";
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final PageAccess READING =
      new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OFF, "own");

  @TempDir private Path directory;
  private final List<String> tlsSaid = new CopyOnWriteArrayList<>();
  private Path certificate;
  private Path key;

  @BeforeEach
  void makeCertificate() throws Exception {
    KeyStore pair = new KeyPairs(directory).make("page");
    certificate = Files.write(directory.resolve("page.crt"), KeyPairs.certificate(pair));
    key = ownersOnly(Files.write(directory.resolve("page.key"), KeyPairs.key(pair)));
  }

  private static Path ownersOnly(Path file) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static Path readable(Path file) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  /** A page server, or a process that joins one. */
  private static final class One implements AutoCloseable {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final PageServer server;

    One(PagePlace place, PageAccess access) {
      server =
          PageServer.start(
              place,
              access,
              new Asked(null, List.of()),
              new TraceStore(StoreLimits.DEFAULT),
              null,
              new PageLines() {
                @Override
                public void bound(String url, PageAccess now) {
                  said.add("serves " + url);
                }

                @Override
                public void joined(String url, String who) {
                  said.add("joined " + url);
                }

                @Override
                public void failed(String reason) {
                  said.add("failed: " + reason);
                }
              },
              () -> {});
    }

    String awaitSaid() throws Exception {
      await(() -> !said.isEmpty());
      return said.get(0);
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private One page() throws IOException {
    return page(0);
  }

  private One page(int grpcPort) throws IOException {
    PagePlace.Alone alone =
        new PagePlace.Alone(
            InetAddress.getByName("0.0.0.0"),
            0,
            grpcPort,
            new ServedTls(
                List.of(certificate.toString(), key.toString()),
                () -> TlsFiles.ofPem(certificate.toString(), key.toString()),
                tlsSaid::add),
            TOKEN);
    return new One(new PagePlace(0, null, alone), PageAccess.only(TOKEN, PageControl.OFF));
  }

  private static One joining(URI url, String token, String trusted) throws IOException {
    PageTarget target = PageTarget.of(url, token, TlsFiles.trusting(trusted));
    return new One(new PagePlace(0, target, null), READING);
  }

  @Test
  void page_onAllAddresses_isForWhoHasTheTokenAndSoIsTheLink() throws Exception {
    try (One page = page()) {
      String said = page.awaitSaid();
      assertThat(said).startsWith("serves https://0.0.0.0:");
      URI url = URI.create("https://127.0.0.1:" + said.substring(said.lastIndexOf(':') + 1));
      assertThat(get(url, NODES, "").statusCode()).isEqualTo(401);
      assertThat(get(url, "/", "").statusCode()).as("the page itself tells nothing").isEqualTo(200);
      assertThat(get(url, NODES, TOKEN).body()).contains("\"state\":\"page\"");
      assertThat(get(url, "/metrics", TOKEN).statusCode()).isEqualTo(404);
      String id;
      try (One joined = joining(url, TOKEN, certificate.toString())) {
        assertThat(joined.awaitSaid()).isEqualTo("joined " + url);
        await(() -> get(url, NODES, TOKEN).body().contains("\"state\":\"joined\""));
        await(() -> get(url, NODES, TOKEN).body().matches("(?s).*\"keptAtMillis\":[1-9].*"));
        Matcher found =
            Pattern.compile("\"id\":\"([0-9a-f]{16})\",\"state\":\"joined\"")
                .matcher(get(url, NODES, TOKEN).body());
        assertThat(found.find()).isTrue();
        id = found.group(1);
        String state = "/nodes/" + id + "/api/state";
        assertThat(get(url, state, TOKEN).body()).contains("\"shop\"");
        assertThat(get(url, "/nodes/" + id + "/api/traces", TOKEN).statusCode()).isEqualTo(200);
      }
      await(() -> get(url, NODES, TOKEN).body().contains("\"state\":\"gone\""));
      assertThat(get(url, "/nodes/" + id + "/api/state", TOKEN).body()).contains("\"shop\"");
      assertThat(get(url, "/nodes/" + id + "/api/traces", TOKEN).statusCode()).isEqualTo(404);
      assertThat(get(url, "/api/v1/trouble", TOKEN).body()).contains("has left the page");
    }
  }

  @Test
  void certificate_replaced_isServedFromThenOnAndOneThatIsBrokenIsNot() throws Exception {
    KeyStore pair = new KeyPairs(Files.createDirectory(directory.resolve("new"))).make("page");
    Certificate next = pair.getCertificate("it");
    Path both = Files.copy(certificate, directory.resolve("both.crt"));
    Files.write(both, KeyPairs.certificate(pair), StandardOpenOption.APPEND);
    try (One page = page()) {
      String said = page.awaitSaid();
      int port = Integer.parseInt(said.substring(said.lastIndexOf(':') + 1));
      assertThat(served(port, both)).isNotEqualTo(next);
      Files.write(certificate, KeyPairs.certificate(pair));
      Files.write(key, KeyPairs.key(pair));
      await(() -> served(port, both).equals(next));
      tlsSaid.clear();
      Files.writeString(key, "no key");
      await(() -> served(port, both).equals(next) && !tlsSaid.isEmpty());
      assertThat(tlsSaid).allMatch(line -> line.contains("deimos.page.tls.key=" + key));
      assertThat(served(port, both)).isEqualTo(next);
    }
  }

  /** The certificate of the page. */
  private static Certificate served(int port, Path trusted) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            TlsFiles.trusting(trusted.toString())
                .getSocketFactory()
                .createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  /** A browser and OpenTelemetry's exporter for Java know both, and say so in the same way. */
  @Test
  void grpc_overTls_isForItsOwnPortAndForWhoKnowsNothingElse() throws Exception {
    int grpcPort;
    try (ServerSocket any = new ServerSocket(0)) {
      grpcPort = any.getLocalPort();
    }
    try (One page = page(grpcPort)) {
      String said = page.awaitSaid();
      int port = Integer.parseInt(said.substring(said.lastIndexOf(':') + 1));
      assertThat(protocol(port, "h2", "http/1.1")).isEqualTo("http/1.1");
      assertThat(protocol(port, "h2")).isEqualTo("h2");
      assertThat(protocol(port)).isEmpty();
      assertThat(protocol(grpcPort, "h2", "http/1.1")).isEqualTo("h2");
      List<SpanData> spans = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        spans.add(
            TestSpanData.builder()
                .setHasEnded(true)
                .setName("span " + i)
                .setKind(SpanKind.SERVER)
                .setStatus(StatusData.unset())
                .setStartEpochNanos(1)
                .setEndEpochNanos(2)
                .build());
      }
      try (OtlpGrpcSpanExporter without = exporter(grpcPort).build();
          OtlpGrpcSpanExporter with =
              exporter(grpcPort).addHeader("Authorization", "Bearer " + TOKEN).build()) {
        assertThat(without.export(spans).join(60, TimeUnit.SECONDS).isSuccess()).isFalse();
        assertThat(with.export(spans).join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
        assertThat(with.export(spans).join(60, TimeUnit.SECONDS).isSuccess()).isTrue();
      }
      URI url = URI.create("https://127.0.0.1:" + port);
      assertThat(get(url, NODES, TOKEN).body())
          .contains("\"requests\":2,\"refused\":1,\"spans\":10000,")
          .contains("needs the token");
    }
  }

  private OtlpGrpcSpanExporterBuilder exporter(int port) throws IOException {
    return OtlpGrpcSpanExporter.builder()
        .setEndpoint("https://127.0.0.1:" + port)
        .setTrustedCertificates(Files.readAllBytes(certificate));
  }

  private String protocol(int port, String... offered) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            TlsFiles.trusting(certificate.toString())
                .getSocketFactory()
                .createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(offered);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }

  @Test
  void join_byWhoHasNoRightTokenOrTrust_isRefusedInOneLine() throws Exception {
    try (One page = page()) {
      String said = page.awaitSaid();
      URI url = URI.create("https://127.0.0.1:" + said.substring(said.lastIndexOf(':') + 1));
      try (One other = joining(url, "f".repeat(32), certificate.toString())) {
        assertThat(other.awaitSaid()).contains("has another token", "deimos.page.join=" + url);
      }
      try (One other = joining(url, "", certificate.toString())) {
        assertThat(other.awaitSaid()).contains("wants a token");
      }
      try (One other = joining(url, TOKEN, "")) {
        assertThat(other.awaitSaid()).contains("does not prove who it is", "deimos.page.tls.trust");
      }
      URI plain = URI.create(url.toString().replace("https", "http"));
      try (One other =
          new One(new PagePlace(0, PageTarget.of(plain, TOKEN, null), null), READING)) {
        assertThat(other.awaitSaid()).startsWith("failed: not on the page at http://");
      }
    }
  }

  @Test
  void files_thatCannotBeUsed_areRefusedWithTheSetting() throws Exception {
    String none = directory.resolve("none").toString();
    assertThatThrownBy(() -> TlsFiles.ofPem(key.toString(), key.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("deimos.page.tls.certificate=");
    ownersOnly(certificate);
    assertThatThrownBy(() -> TlsFiles.ofPem(certificate.toString(), certificate.toString()))
        .hasMessageContaining("openssl pkcs8");
    assertThatThrownBy(() -> TlsFiles.ofPem(none, key.toString()))
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> TlsFiles.ofKeystore(key.toString(), ""))
        .hasMessageContaining("deimos.page.tls.keystore=");
    Path password = ownersOnly(Files.writeString(directory.resolve("password"), "for-a-test\n"));
    Path keystore = ownersOnly(directory.resolve("page.p12"));
    assertThat(TlsFiles.ofKeystore(keystore.toString(), password.toString())).isNotNull();
    Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> SharedToken.of(token.toString(), Map.of()))
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    assertThat(SharedToken.of(token.toString(), Map.of())).isEqualTo(TOKEN);
    assertThat(SharedToken.of("", Map.of(SharedToken.VARIABLE, TOKEN))).isEqualTo(TOKEN);
    assertThat(SharedToken.of("", Map.of())).isEmpty();
    assertThatThrownBy(() -> SharedToken.of("", Map.of(SharedToken.VARIABLE, "short")))
        .hasMessageContaining("32 to 512");
  }

  @Test
  void files_withASecretThatOthersMayRead_areRefusedInOneLine() throws Exception {
    readable(key);
    assertThatThrownBy(() -> TlsFiles.ofPem(certificate.toString(), key.toString()))
        .hasMessage("deimos.page.tls.key=" + key + ": others may read it; chmod 600 it");
    ownersOnly(key);
    assertThat(TlsFiles.ofPem(readable(certificate).toString(), key.toString())).isNotNull();

    Path password = readable(Files.writeString(directory.resolve("password"), "for-a-test\n"));
    Path keystore = ownersOnly(directory.resolve("page.p12"));
    assertThatThrownBy(() -> TlsFiles.ofKeystore(keystore.toString(), password.toString()))
        .hasMessage(
            "deimos.page.tls.keystore-password-file="
                + password
                + ": others may read it; chmod 600 it");
    ownersOnly(password);
    readable(keystore);
    assertThatThrownBy(() -> TlsFiles.ofKeystore(keystore.toString(), password.toString()))
        .hasMessageContaining("deimos.page.tls.keystore=" + keystore)
        .hasMessageContaining("chmod 600");
  }

  /** More half handshakes than there may be connections, and one that goes on byte by byte. */
  @Test
  void handshakes_thatAreSlow_keepNobodyFromAnAnswer() throws Exception {
    byte[] hello = clientHello();
    List<Socket> slow = new ArrayList<>();
    try (One page = page()) {
      String said = page.awaitSaid();
      URI url = URI.create("https://127.0.0.1:" + said.substring(said.lastIndexOf(':') + 1));
      for (int i = 0; i < 2 * HttpLoop.Bounds.DEFAULT.connections(); i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
        slow.add(socket);
        socket.getOutputStream().write(hello, 0, 1 + i % (hello.length - 1));
      }
      assertThat(get(url, NODES, TOKEN).statusCode()).isEqualTo(200);
      try (Socket bytes = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
        for (int i = 0; i < hello.length; i++) {
          bytes.getOutputStream().write(hello, i, 1);
          if (i % 100 == 0) {
            assertThat(get(url, NODES, TOKEN).statusCode()).isEqualTo(200);
          }
        }
        assertThat(bytes.getInputStream().read()).as("a record of the handshake").isEqualTo(22);
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /** New keys again and again would keep the loop at one client for as long as that likes. */
  @Test
  void records_withNothingInThem_endTheConnectionAndOthersAreAnswered() throws Exception {
    try (One page = page()) {
      String said = page.awaitSaid();
      URI url = URI.create("https://127.0.0.1:" + said.substring(said.lastIndexOf(':') + 1));
      try (SSLSocket socket =
          (SSLSocket)
              TlsFiles.trusting(certificate.toString())
                  .getSocketFactory()
                  .createSocket("127.0.0.1", url.getPort())) {
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        socket.startHandshake();
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 50_000; i++) {
                    socket.startHandshake(); // new keys, now that there are some
                  }
                })
            .isInstanceOf(IOException.class);
      }
      assertThat(get(url, NODES, TOKEN).statusCode()).isEqualTo(200);
    }
  }

  private static byte[] clientHello() throws Exception {
    SSLEngine engine = SSLContext.getDefault().createSSLEngine();
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return Arrays.copyOf(hello.array(), hello.position());
  }

  private HttpResponse<String> get(URI url, String path, String token) throws Exception {
    HttpClient client =
        HttpClient.newBuilder().sslContext(TlsFiles.trusting(certificate.toString())).build();
    HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path));
    if (!token.isEmpty()) {
      request.header("X-Deimos-Token", token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!Objects.requireNonNull(condition.call())) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
