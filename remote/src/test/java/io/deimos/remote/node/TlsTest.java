// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.remote.artery.tcp.ConfigSSLEngineProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS with the user's own provider of engines. */
class TlsTest {
  @TempDir static Path directory;

  private static final int STRANGERS = 24;

  /** As many checks as there are threads for them. */
  private static final int FEW = 8;

  @BeforeAll
  static void makeKeys() throws Exception {
    makeKey("node");
    makeKey("stranger");
  }

  /** Writes key and certificate of a store as the files that the rotating provider reads. */
  private static void publish(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve(name))) {
      store.load(in, "changeit".toCharArray());
    }
    Base64.Encoder base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
    String key = base64.encodeToString(store.getKey(name, "changeit".toCharArray()).getEncoded());
    String certificate = base64.encodeToString(store.getCertificate(name).getEncoded());
    Files.createDirectories(directory.resolve("secrets"));
    write("tls.key", "PRIVATE KEY", key);
    write("tls.crt", "CERTIFICATE", certificate);
    write("ca.crt", "CERTIFICATE", certificate);
  }

  private static void write(String file, String what, String base64) throws IOException {
    Files.writeString(
        directory.resolve("secrets").resolve(file),
        "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
  }

  private static void makeKey(String name) throws IOException, InterruptedException {
    makeKey(name, "EC");
  }

  private static void makeKey(String name, String algorithm)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                algorithm,
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

  /** How somebody is held up, and that he is. */
  private record Hold(CountDownLatch begun, CountDownLatch end) {
    Hold() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  /** Holds up whoever makes engines for accepted connections, or for outgoing ones. */
  public static final class HeldUp extends ConfigSSLEngineProvider {
    private static volatile @Nullable Hold server;
    private static volatile @Nullable Hold client;

    public HeldUp(ActorSystem system) {
      super(system);
    }

    private static void pass(@Nullable Hold hold) {
      if (hold != null) {
        hold.begun.countDown();
        try {
          hold.end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public SSLEngine createServerSSLEngine(String hostname, int port) {
      pass(server);
      return super.createServerSSLEngine(hostname, port);
    }

    @Override
    public SSLEngine createClientSSLEngine(String hostname, int port) {
      pass(client);
      return super.createClientSSLEngine(hostname, port);
    }
  }

  private static final String HELD_UP =
      "pekko.remote.artery.ssl.ssl-engine-provider = \"" + HeldUp.class.getName() + "\"";

  private static final String PATIENT =
      "pekko.remote.watch-failure-detector.acceptable-heartbeat-pause = 1 h";

  /** Has the first node watch an actor of the second, over connections that are there already. */
  private static ActorRef watched(Node a, Node b) {
    ActorRef echo = a.find(b, "/user/echo");
    ActorRef watcher =
        a.system.actorOf(Props.create(InteropTest.Watcher.class, echo, a.receiver), "watcher");
    watcher.tell("watch", ActorRef.noSender());
    echo.tell("there", a.receiver);
    Node.await("both streams", () -> a.received.containsAll(List.of("watching", "there")));
    return echo;
  }

  @Test
  void handshakeOfAStranger_takesLong_controlMessagesGoOn() throws Exception {
    try (Node a = Node.start("a", Node.OURS, tls("node"), PATIENT);
        Node b = Node.start("b", Node.OURS, tls("node"), HELD_UP)) {
      ActorRef echo = watched(a, b);
      Hold hold = new Hold();
      HeldUp.server = hold;
      try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
        assertThat(stranger.isConnected()).isTrue();
        hold.begun.await();
        echo.tell("stop", a.receiver);
        Node.await("terminated", () -> a.received.contains("terminated"));
      } finally {
        HeldUp.server = null;
        hold.end.countDown();
      }
    }
  }

  /** The sessions that are verified when they are let, and where that runs. */
  public static final class Slow extends ConfigSSLEngineProvider {
    static final List<String> VERIFYING = new CopyOnWriteArrayList<>();
    static volatile CountDownLatch hold = new CountDownLatch(0);

    public Slow(ActorSystem system) {
      super(system);
    }

    @Override
    public SSLEngine createServerSSLEngine(String hostname, int port) {
      try {
        SSLContext context = SSLContext.getInstance("TLSv1.2");
        context.init(keyManagers(), new TrustManager[] {new Checks()}, null);
        SSLEngine engine = context.createSSLEngine(hostname, port);
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        return engine;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Trusts everybody, after a while. */
  private static final class Checks extends X509ExtendedTrustManager {
    private static void check() {
      Slow.VERIFYING.add(Thread.currentThread().getName());
      try {
        Slow.hold.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      check();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
      check();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      check();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void certificatesOfStrangers_takeLongToCheck_onlyThreadsForThatAreOccupied() throws Exception {
    String slow = "pekko.remote.artery.ssl.ssl-engine-provider = \"" + Slow.class.getName() + "\"";
    Slow.VERIFYING.clear();
    Slow.hold = new CountDownLatch(1);
    List<Socket> strangers = new ArrayList<>();
    try (Node b = Node.start("b", Node.OURS, tls("node"), slow)) {
      SSLContext context = SSLContext.getInstance("TLSv1.2");
      context.init(keyManagers(), new TrustManager[] {new Checks()}, null);
      for (int i = 0; i < STRANGERS; i++) {
        SSLSocket socket =
            (SSLSocket)
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), b.port());
        strangers.add(socket);
        Thread thread = new Thread(() -> handshake(socket), "stranger " + i);
        thread.setDaemon(true);
        thread.start();
      }
      Node.await("checks", () -> Slow.VERIFYING.size() >= FEW);
      CountDownLatch ran = new CountDownLatch(STRANGERS);
      for (int i = 0; i < STRANGERS; i++) {
        b.system.dispatchers().internalDispatcher().execute(ran::countDown);
      }
      Node.await("Pekko's own tasks", () -> ran.getCount() == 0);
      assertThat(Slow.VERIFYING)
          .allMatch(thread -> thread.startsWith("b-deimos-remote-tls-accepted"));
      Slow.hold.countDown();
      Node.await("all checks", () -> Slow.VERIFYING.size() == STRANGERS);
      assertThat(Set.copyOf(Slow.VERIFYING)).hasSizeLessThanOrEqualTo(FEW);
    } finally {
      Slow.hold.countDown();
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
    Node.await(
        "the end of the threads",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("b-deimos-remote-tls")));
  }

  private static void handshake(SSLSocket socket) {
    try {
      socket.startHandshake();
    } catch (IOException e) {
      // the test is over
    }
  }

  private static KeyManager[] keyManagers() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve("node"))) {
      store.load(in, "changeit".toCharArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, "changeit".toCharArray());
    return keys.getKeyManagers();
  }

  /** As a disk may be slow with the keys. */
  @Test
  void engineForAnOutgoingConnection_takesLong_controlMessagesOfOtherPeersGoOn() throws Exception {
    try (Node a = Node.start("a", Node.OURS, tls("node"), PATIENT, HELD_UP);
        Node b = Node.start("b", Node.OURS, tls("node"));
        Node c = Node.start("c", Node.OURS, tls("node"))) {
      ActorRef echo = watched(a, b);
      Hold hold = new Hold();
      HeldUp.client = hold;
      try {
        a.system.actorSelection(c.address() + "/user/echo").tell("later", a.receiver);
        hold.begun.await();
        echo.tell("stop", a.receiver);
        Node.await("terminated", () -> a.received.contains("terminated"));
      } finally {
        HeldUp.client = null;
        hold.end.countDown();
      }
      Node.await("the other peer", () -> a.received.contains("later"));
    }
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true"})
  void certificate_isRotated_newConnectionsUseTheNewOne(boolean first, boolean second)
      throws Exception {
    makeKey("old", "RSA");
    makeKey("new", "RSA");
    publish("old");
    String rotating =
        """
        pekko.remote.artery {
          transport = tls-tcp
          ssl {
            ssl-engine-provider = "org.apache.pekko.remote.artery.tcp.ssl.RotatingKeysSSLEngineProvider"
            rotating-keys-engine {
              key-file = "%1$s/tls.key", cert-file = "%1$s/tls.crt", ca-cert-file = "%1$s/ca.crt"
              ssl-context-cache-ttl = 100 ms
            }
          }
        }
        """
            .formatted(directory.resolve("secrets"));
    try (FaultProxy proxy = new FaultProxy();
        Node a = Node.start("a", first ? Node.OURS : Node.STOCK, rotating, FaultTest.QUICK);
        Node b =
            Node.start(
                "b",
                second ? Node.OURS : Node.STOCK,
                rotating,
                FaultTest.QUICK,
                FaultTest.behind(proxy))) {
      proxy.forwardTo(FaultTest.bindPort(b));
      ActorRef there = a.find(b, "/user/echo");
      there.tell("old", a.receiver);
      Node.await("old", () -> a.received.contains("old"));
      publish("new"); // which trusts nothing but itself
      Node.await(
          "a connection with the new certificate",
          () -> {
            proxy.cutAll();
            for (int i = 0; i < 100 && !a.received.contains("new"); i++) {
              there.tell("new", a.receiver);
              LockSupport.parkNanos(5_000_000);
            }
            return a.received.contains("new");
          });
    } finally {
      Files.delete(directory.resolve("old"));
      Files.delete(directory.resolve("new"));
    }
  }
}
