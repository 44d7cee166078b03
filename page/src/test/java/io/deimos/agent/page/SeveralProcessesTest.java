// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.http.Reply;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Handshake;
import io.deimos.agent.nodes.Hmac;
import io.deimos.agent.nodes.Joiner;
import io.deimos.agent.nodes.LocalPage;
import io.deimos.agent.nodes.PageTarget;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.profile.FakeSource;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.housekeeping.Drainer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Several processes with one port: each a page server with a store of its own. */
class SeveralProcessesTest {
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final ProcessStatus CARD =
      new ProcessStatus(
          new ProcessStatus.Identity(
              "00000000000000aa",
              "shop",
              List.of(),
              new ProcessStatus.Versions("1", "1", "17"),
              "",
              7,
              1),
          1,
          new ProcessStatus.Counts(1, 1, 1, 1, 1, 1, 0, 3));
  private static final long TRACE = 0x1234567812345678L;
  private static final PageAccess OPEN =
      access(PageAccessMode.OPEN, "00112233445566778899aabbccddeeff");

  private static PageAccess access(PageAccessMode page, String token) {
    return new PageAccess(page, PageControl.TOKEN, PageAccessMode.OPEN, token);
  }

  /** One process. */
  private static final class One implements AutoCloseable {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
    private final PageServer server;

    One(int port, PageAccess access) throws InterruptedException {
      this(port, access, new Asked(null, List.of()));
    }

    One(int port, PageAccess access, PageSource source) throws InterruptedException {
      this(port, access, source, () -> {});
      server.awaitStart(PATIENCE_NANOS / 1_000_000);
    }

    /**
     * One that has not come up yet.
     *
     * @param onJoined runs each time that it has joined, on the thread that takes the port later
     */
    One(int port, PageAccess access, PageSource source, Runnable onJoined) {
      server =
          PageServer.start(
              PagePlace.on(port),
              access,
              source,
              store,
              null,
              new PageLines() {
                @Override
                public void bound(String url, PageAccess now) {
                  said.add("serves " + url + " " + now.token());
                }

                @Override
                public void joined(String url, String who) {
                  said.add("joined " + url);
                  onJoined.run();
                }

                @Override
                public void failed(String reason) {
                  said.add("failed: " + reason);
                }
              },
              () -> {});
    }

    int port() {
      String url = Objects.requireNonNull(server.url());
      return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    Map<String, Object> get(String path) throws IOException {
      return object(JsonReader.read(new Http(port()).get(path).text()));
    }

    List<Map<String, Object>> nodes() throws IOException {
      return array(get("/api/v1/nodes").get("nodes")).stream().map(JsonReader::object).toList();
    }

    List<Map<String, Object>> cluster() throws IOException {
      return array(get("/api/v1/cluster").get("processes")).stream()
          .map(JsonReader::object)
          .toList();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /** The shown settings of a process whose start has made them so, and which it keeps. */
  private static final class Settled implements QuietSource {
    private final PageSettings settings;

    Settled(Map<String, String> properties) {
      settings =
          new LivePage(
              LiveSettings.read(
                  properties,
                  Map.of(),
                  Layer.empty(),
                  ClassLoader.getPlatformClassLoader(),
                  problem -> {},
                  change -> {}));
    }

    @Override
    public PageSettings settings() {
      return settings;
    }
  }

  @Test
  void settings_ofAJoinedProcess_areChangedWithThePagesTokenIfItAllowsThat() throws Exception {
    String change = "/api/v1/settings?key=deimos.tracing.asks&value=false";
    try (One first = new One(0, access(PageAccessMode.OPEN, "secret"));
        One closed = new One(first.port(), OPEN, new Settled(Map.of()));
        One open =
            new One(first.port(), OPEN, new Settled(Map.of("deimos.page.join-control", "true")))) {
      await(() -> first.nodes().size() == 3);
      Http http = new Http(first.port());
      List<Integer> changed = new ArrayList<>();
      for (Map<String, Object> node : first.nodes().subList(1, 3)) {
        String process = "/nodes/" + node.get("id");
        Http.Reply without = post(http, process + change);
        assertThat(without.status()).isEqualTo(403);
        assertThat(without.text()).contains("needs the token of this page");
        Http.Reply with = post(http, process + change, "X-Deimos-Token: secret");
        changed.add(with.status());
        boolean allowed = with.status() == 200;
        assertThat(with.text()).contains(allowed ? "deimos.tracing.asks" : "page.join-control=");
        assertThat(control(http, process)).isEqualTo(allowed ? "token" : "off");
        assertThat(control(http, process, "X-Deimos-Token: secret"))
            .isEqualTo(allowed ? "on" : "off");
        assertThat(post(http, process + "/api/v1/trouble", "X-Deimos-Token: secret").status())
            .isEqualTo(405);
        Http.Reply dump = http.get(process + "/api/v1/dump", "X-Deimos-Token: secret");
        assertThat(dump.status()).as("a dump is everything").isEqualTo(403);
        assertThat(dump.text()).contains("not passed on");
        String now = http.get(process + "/api/v1/settings?q=tracing.asks").text();
        assertThat(now.contains("\"deimos.tracing.asks\",\"value\":\"false\""))
            .as(now)
            .isEqualTo(allowed);
      }
      assertThat(changed).containsExactlyInAnyOrder(200, 403);
      assertThat(closed.said).hasSize(1);
      assertThat(open.said).hasSize(1);
    }
  }

  private static Http.Reply post(Http http, String path, String... headers) throws IOException {
    return http.post(path, "", headers);
  }

  private static Object control(Http http, String process, String... headers) throws IOException {
    return Objects.requireNonNull(
        object(http.get(process + "/api/v1/settings", headers).json()).get("control"));
  }

  @Test
  void processes_onOnePort_areOnOnePageWithWholeTraces() throws Exception {
    try (One first = new One(0, OPEN);
        One second = new One(first.port(), access(PageAccessMode.OPEN, "another"));
        One third = new One(first.port(), access(PageAccessMode.OPEN, "a third"))) {
      assertThat(second.said).containsExactly("joined http://127.0.0.1:" + first.port());
      await(() -> first.nodes().size() == 3);
      assertThat(first.nodes())
          .extracting(node -> node.get("state"))
          .containsExactly("serves", "joined", "joined");

      second.store.accept(span(2, 1, true, StatusData.unset()));
      third.store.accept(span(3, 2, true, StatusData.unset()));
      first.store.accept(span(1, 0, false, StatusData.error()));
      String path = "/api/traces/" + TraceId.fromLongs(1, TRACE);
      await(() -> array(first.get(path).get("spans")).size() == 3);
      Map<String, Object> trace = first.get(path);
      assertThat(trace).containsEntry("complete", true);
      assertThat(array(trace.get("spans")))
          .extracting(span -> object(span).get("node"))
          .doesNotHaveDuplicates();
      Map<String, Object> span = object(array(trace.get("spans")).get(1));
      assertThat(object(span.get("attributes")))
          .containsEntry("text", "täxt")
          .containsEntry("flag", true);
      assertThat(object(object(array(first.get("/api/traces").get("traces")).get(0))).get("nodes"))
          .hasToString("3");

      String id = String.valueOf(first.nodes().get(1).get("id"));
      assertThat(first.get("/nodes/" + id + "/api/state")).containsEntry("service", "shop");
      assertThat(first.get("/nodes/" + id + "/api/traces/none")).containsKey("error");
      assertThat(first.get("/nodes/0000000000000000/api/state")).containsKey("error");
      assertThat(new Http(first.port()).get("/nodes/" + id + "/metrics").status()).isEqualTo(404);
      assertThat(first.get("/nodes/" + id + "/api/settings")).containsEntry("control", "off");
      assertThat(String.valueOf(first.get("/nodes/" + id + "/api/v1/dump").get("error")))
          .contains("not passed on");

      int port = first.port();
      first.server.close();
      await(() -> second.server.url() != null || third.server.url() != null);
      One next = second.server.url() != null ? second : third;
      await(() -> next.said.size() == 2);
      assertThat(next.said)
          .as("with a token of its own")
          .contains("serves http://127.0.0.1:" + port + (next == second ? " another" : " a third"));
      await(() -> next.nodes().size() == 2);
      await(() -> array(next.get(path).get("spans")).size() == 2);
      (next == second ? third : second).server.close();
      await(() -> "gone".equals(next.nodes().get(1).get("state")));
      assertThat(array(next.get(path).get("spans"))).as("what was sent stays").hasSize(2);
    }
  }

  @Test
  void cluster_ofSeveralProcesses_hasWhatEachSaysAndItsClock() throws Exception {
    try (One first = new One(0, OPEN);
        One second = new One(first.port(), OPEN)) {
      assertThat(second.said).hasSize(1);
      await(() -> first.cluster().size() == 2);
      await(() -> Boolean.TRUE.equals(first.cluster().get(1).get("hasSaid")));
      await(() -> first.cluster().get(1).get("clockOffsetNanos") != null);
      Map<String, Object> joined = first.cluster().get(1);
      assertThat(joined).containsEntry("state", "joined").containsEntry("leftOut", 0L);
      long ahead = (Long) Objects.requireNonNull(joined.get("clockOffsetNanos"));
      assertThat(Math.abs(ahead))
          .as("both have the same clock")
          .isLessThanOrEqualTo((Long) joined.get("clockErrorNanos"));
      assertThat(first.nodes().get(1)).containsKey("clockOffsetNanos");
      Documented.check("/api/v1/cluster", new Http(first.port()).get("/api/v1/cluster").text());
    }
  }

  @Test
  void join_pageThatAnybodyMayRead_isRefusedByWhoWantsAToken() throws Exception {
    try (One first = new One(0, OPEN);
        One second = new One(first.port(), access(PageAccessMode.TOKEN, "secret"))) {
      assertThat(second.said).hasSize(1);
      assertThat(second.said.get(0)).contains("anybody on this machine", "deimos.page.port=");
    }
  }

  @Test
  void join_strangerWhoSaysItIsADeimos_isRefused() throws Exception {
    Path directory = Files.createTempDirectory("deimos-");
    Path file = directory.resolve("link");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, "0".repeat(64));
    String about =
        "{\"product\":\"deimos\",\"version\":\"%s\",\"link\":"
            + Handshake.VERSION
            + ",\"access\":\"open\"}";
    assertThat(refusal(about.formatted("9.0"), "")).contains("another version of Deimos (9.0");
    assertThat(refusal(about.formatted("1"), file.toString())).contains("only says it is a Deimos");
    assertThat(refusal(about.formatted("1"), "/etc/passwd")).contains("another user");
    assertThat(refusal("{\"product\":\"other\"}", "")).contains("is in use");
    Files.delete(file);
    Files.delete(directory);
  }

  /** It need not close after an answer, and this process need not wait for that. */
  @Test
  void join_strangerWhoKeepsConnectionsOpen_isRefusedByWhatHeSays() throws Exception {
    List<Socket> open = new CopyOnWriteArrayList<>();
    try (ServerSocket port = new ServerSocket()) {
      port.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0));
      Thread stranger =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Socket socket = port.accept();
                    open.add(socket);
                    socket
                        .getOutputStream()
                        .write(
                            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
                                .getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException e) {
                  // The test has ended.
                }
              });
      stranger.start();
      try (Joiner joiner = joiner(CARD)) {
        assertThat(joiner.join(PageTarget.local(port.getLocalPort()), who -> {}))
            .isEqualTo(new Joiner.Refused(Joiner.Refused.STRANGER));
      }
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  void profile_ofAJoinedProcessAsText_isSaidToBeText() throws Exception {
    Profile profile = new FakeSource(null).profile(problem -> {}, 1);
    try (Drainer drainer = new Drainer(span -> {});
        One first = new One(0, OPEN);
        One second = new One(first.port(), OPEN, new Asked(null, List.of(), profile))) {
      await(() -> first.nodes().size() == 2);
      assertThat(second.said).hasSize(1);
      drainer.start();
      String path = "/nodes/" + first.nodes().get(1).get("id") + "/api/v1/profile?format=";
      Http http = new Http(first.port());
      for (String accepted : List.of("identity", "gzip")) {
        Http.Reply text = http.get(path + "collapsed", "Accept-Encoding: " + accepted);
        assertThat(text.status()).as(text::text).isEqualTo(200);
        assertThat(text.headers())
            .containsEntry("Content-Type", "text/plain; charset=utf-8")
            .containsEntry("Content-Disposition", "attachment");
      }
      assertThat(http.get(path + "speedscope").headers())
          .containsEntry("Content-Type", "application/json")
          .doesNotContainKey("Content-Disposition");
    }
  }

  /** A process that has joined and says this; all else of it is real. */
  private static Joiner joiner(ProcessStatus card) {
    return new Joiner(
        () -> card,
        new TraceStore(StoreLimits.DEFAULT),
        new LocalPage() {
          @Override
          public Reply answer(String target, boolean gzip) {
            return new Reply(404, false, new byte[0]);
          }

          @Override
          public List<TroubleGroup> trouble() {
            return List.of();
          }

          @Override
          public ClusterCard cluster() {
            return new ClusterCard(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new ClusterCard.Alive(0, List.of()),
                0);
          }
        },
        false);
  }

  @Test
  void trouble_ofJoinedProcesses_saysHowManyMessagesAreStuckThere() throws Exception {
    String id = CARD.id();
    try (One first = new One(0, OPEN)) {
      PageTarget target = PageTarget.local(first.port());
      try (Joiner joiner = joiner(CARD)) {
        Thread other =
            new Thread(
                () -> {
                  try {
                    joiner.join(target, who -> {});
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        other.start();
        String own = String.valueOf(first.nodes().get(0).get("id"));
        await(() -> first.nodes().size() == 2);
        assertThat(first.get("/api/v1/trouble?node=" + id)).containsEntry("stuckNow", 3L);
        assertThat(first.get("/api/v1/trouble?node=" + own)).containsEntry("stuckNow", 0L);
        assertThat(first.get("/api/v1/trouble")).containsEntry("stuckNow", 3L);
      }
      await(() -> "gone".equals(first.nodes().get(1).get("state")));
      assertThat(first.get("/api/v1/trouble?node=" + id)).containsEntry("stuckNow", 0L);
    }
  }

  @Test
  void about_askedWithANumber_provesThatThePageKnowsItsToken() throws Exception {
    try (One one = new One(0, OPEN)) {
      Http http = new Http(one.port());
      String number = "12".repeat(32);
      String host = "127.0.0.1:" + one.port();
      assertThat(http.get("/api/v1/about", "Deimos-Number: " + number).headers())
          .containsEntry("Deimos-Proof", Hmac.of(OPEN.token(), "page", host, number));
      assertThat(http.get("/api/v1/about", "Deimos-Number: 12").headers())
          .doesNotContainKey("Deimos-Proof");
      assertThat(http.get("/api/v1/nodes", "Deimos-Number: " + number).headers())
          .doesNotContainKey("Deimos-Proof");
    }
  }

  /** A token sent to a stranger opens nothing at the next page. */
  @Test
  void takeOver_ofAPortThatAStrangerHadForAMoment_isWithAnotherToken() throws Exception {
    One first = new One(0, OPEN);
    int port = first.port();
    CountDownLatch strangerHasIt = new CountDownLatch(1);
    try (One second =
        new One(
            port,
            access(PageAccessMode.OPEN, "another"),
            new Asked(null, List.of()),
            () -> awaitOpen(strangerHasIt))) {
      await(() -> second.said.size() == 1);
      assertThat(second.said).containsExactly("joined http://127.0.0.1:" + port);
      first.close();
      try (Stranger stranger = Stranger.on(port)) {
        strangerHasIt.countDown();
        await(() -> second.said.size() == 2);
        assertThat(second.said.get(1))
            .startsWith("failed: no page, since port " + port + " is in use")
            .endsWith("This process tries again and again.");
        int before = stranger.asked.size();
        await(() -> stranger.asked.size() > before + 1);
        assertThat(second.said).as("it says so once").hasSize(2);
        assertThat(stranger.asked)
            .noneMatch(asked -> asked.contains(OPEN.token()) || asked.contains("another"));
      }
      await(() -> second.said.size() == 3);
      assertThat(second.said).last().isEqualTo("serves http://127.0.0.1:" + port + " another");
      Http http = new Http(port);
      assertThat(http.get("/api/v1/dump", "X-Deimos-Token: " + OPEN.token()).status())
          .isEqualTo(403);
      assertThat(http.get("/api/v1/dump", "X-Deimos-Token: another").status()).isEqualTo(200);
    }
  }

  /** Somebody who takes the port before the next process does, and answers everybody. */
  private static final class Stranger implements AutoCloseable {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ServerSocket port;

    private Stranger(ServerSocket port) {
      this.port = port;
      new Thread(this::answer).start();
    }

    static Stranger on(int port) throws Exception {
      ServerSocket socket = new ServerSocket();
      await(
          () -> {
            try {
              socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port));
              return true;
            } catch (BindException e) {
              return false; // not yet
            }
          });
      return new Stranger(socket);
    }

    private void answer() {
      while (true) {
        try (Socket socket = port.accept()) {
          byte[] request = new byte[4096];
          int read = socket.getInputStream().read(request);
          asked.add(new String(request, 0, Math.max(0, read), StandardCharsets.US_ASCII));
          socket
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\n\r\n{}".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
          if (port.isClosed()) {
            return;
          }
        }
      }
    }

    @Override
    public void close() throws IOException {
      port.close();
    }
  }

  /** The words of a process that finds this on its port. */
  private static String refusal(String about, String file) throws Exception {
    try (ServerSocket port = new ServerSocket()) {
      port.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0));
      CompletableFuture<byte[]> heard = new CompletableFuture<>();
      Thread stranger =
          new Thread(
              () -> {
                try {
                  while (true) {
                    try (Socket socket = port.accept()) {
                      byte[] asked = new byte[4096];
                      int read = socket.getInputStream().read(asked);
                      String request = new String(asked, 0, read, StandardCharsets.US_ASCII);
                      String answer =
                          request.contains("/about")
                              ? "HTTP/1.1 200 OK\r\n\r\n" + about
                              : "HTTP/1.1 101 Switching\r\nDeimos-Number: 1\r\nDeimos-Proof: 2\r\n"
                                  + "Deimos-File: "
                                  + file
                                  + "\r\n\r\n";
                      socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                      if (!request.contains("/about")) {
                        heard.complete(socket.getInputStream().readAllBytes());
                      }
                    }
                  }
                } catch (IOException e) {
                  // The test has ended.
                }
              });
      stranger.start();
      try (One one = new One(port.getLocalPort(), OPEN)) {
        assertThat(one.said).hasSize(1);
        if (!file.isEmpty()) {
          assertThat(heard.get()).as("no proof for one who has proved nothing").isEmpty();
        }
        return one.said.get(0);
      }
    }
  }

  @Test
  void link_withoutAProof_endsAndIsNobody() throws Exception {
    try (One first = new One(0, OPEN);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), first.port())) {
      open(socket, first.port());
      byte[] frame = Arrays.copyOf(new byte[] {0, 0, 0, 64, 0}, 5 + 64);
      Arrays.fill(frame, 5, frame.length, (byte) 'f');
      socket.getOutputStream().write(frame);
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
      assertThat(first.nodes()).hasSize(1);
      assertThat(new Http(first.port()).get("/api/v1/link").status()).isEqualTo(400);
    }
  }

  /** A frame whose bytes come one by one never ends; nobody waits for it. */
  @Test
  void link_thatIsSlowToProve_ends() throws Exception {
    try (One first = new One(0, OPEN);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), first.port())) {
      OutputStream out = socket.getOutputStream();
      open(socket, first.port());
      out.write(new byte[] {0, 0, 0, 64, 0});
      socket.setSoTimeout(200); // between two bytes
      int sent = 0;
      for (boolean isOpen = true; isOpen; sent++) {
        try {
          out.write('0');
          isOpen = socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
          assertThat(sent).as("not because the frame was whole").isLessThan(64);
        } catch (IOException e) {
          isOpen = false; // a reset
        }
      }
    }
  }

  /** Says that it is a process, and has the answer of the page. */
  private static void open(Socket socket, int port) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET /api/v1/link HTTP/1.1\r\nHost: 127.0.0.1:"
                    + port
                    + "\r\nUpgrade: deimos-link\r\nDeimos-Number: "
                    + "0".repeat(64)
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    byte[] head = new byte[4096];
    assertThat(socket.getInputStream().read(head)).isPositive();
    assertThat(new String(head, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 101 ");
  }

  @Test
  void links_ofManyWhoProveNothing_takeNoThreadAndKeepNobodyOut() throws Exception {
    try (One first = new One(0, OPEN);
        PageOfItsOwn alone =
            new PageOfItsOwn(
                new TraceStore(StoreLimits.DEFAULT),
                PageAccessMode.OPEN,
                reason -> {
                  throw new AssertionError(reason);
                })) {
      for (int port : List.of(first.port(), alone.port)) {
        long before = linkThreads();
        List<Socket> half = new ArrayList<>();
        try {
          for (int i = 0; i < 500; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            half.add(socket);
            open(socket, port);
          }
          assertThat(linkThreads()).isLessThanOrEqualTo(before);
          assertThat(new Http(port).get("/api/v1/nodes").status()).isEqualTo(200);
          try (One second = new One(port, OPEN)) {
            assertThat(second.said).containsExactly("joined http://127.0.0.1:" + port);
          }
        } finally {
          for (Socket socket : half) {
            socket.close();
          }
        }
      }
    }
  }

  private static long linkThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("deimos-link"))
        .count();
  }

  private static SpanData span(long id, long parent, boolean remote, StatusData status) {
    long now = System.currentTimeMillis() * 1_000_000;
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName("span " + id)
        .setKind(SpanKind.CONSUMER)
        .setStatus(status)
        .setAttributes(
            Attributes.builder()
                .put("text", "täxt")
                .put("flag", true)
                .put(AttributeKey.stringArrayKey("list"), List.of("a", "b"))
                .build())
        .setSpanContext(context(id, false))
        .setParentSpanContext(parent == 0 ? SpanContext.getInvalid() : context(parent, remote))
        .setStartEpochNanos(now + id)
        .setEndEpochNanos(now + 1000)
        .build();
  }

  private static SpanContext context(long id, boolean remote) {
    String trace = TraceId.fromLongs(1, TRACE);
    TraceFlags flags = TraceFlags.getSampled();
    return remote
        ? SpanContext.createFromRemoteParent(
            trace, SpanId.fromLong(id), flags, TraceState.getDefault())
        : SpanContext.create(trace, SpanId.fromLong(id), flags, TraceState.getDefault());
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.call()) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(20_000_000);
    }
  }
}
