// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.page.Http.Reply;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

public class PageServerTest {
  private static final long START_MILLIS = 10_000;
  private static final String TOKEN = "00112233445566778899aabbccddeeff";
  private static final PageAccess OPEN =
      new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, TOKEN);

  private static final ScrapedText SCRAPED = new FixedScrape("up 1");

  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private final Records records = new Records(store);
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Source source = new Source();
  private @Nullable PageServer server;
  private int port;
  private Http http;

  @BeforeEach
  void start() throws InterruptedException {
    open(OPEN, null);
  }

  private void open(PageAccess access, @Nullable ScrapedText metrics) throws InterruptedException {
    if (server != null) {
      server.close();
    }
    server =
        PageServer.start(PagePlace.on(0), access, source, store, metrics, lines(said), () -> {});
    assertThat(server.awaitStart(START_MILLIS)).as(said::toString).isTrue();
    String url = Objects.requireNonNull(server.url());
    port = Integer.parseInt(url.substring("http://127.0.0.1:".length()));
    http = new Http(port);
  }

  public static PageLines lines(List<String> to) {
    return new PageLines() {
      @Override
      public void bound(String url, PageAccess access) {
        to.add(url);
      }

      @Override
      public void joined(String url, String who) {
        to.add("joined " + url);
      }

      @Override
      public void failed(String reason) {
        to.add(reason);
      }
    };
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(server).close();
  }

  @Test
  void start_anyPort_saysWhereInOneLine() {
    assertThat(said).containsExactly("http://127.0.0.1:" + port);
  }

  @Test
  void port_ofThePage_isOnLoopbackAlone() throws IOException {
    List<InetAddress> others = new ArrayList<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      others.addAll(Collections.list(each.getInetAddresses()));
    }
    others.remove(InetAddress.getLoopbackAddress());
    others.add(InetAddress.getByName("127.0.0.2"));
    for (InetAddress other : others) {
      assertThatThrownBy(() -> new Socket(other, port).close())
          .as(other::toString)
          .isInstanceOf(IOException.class);
    }
    assertThat(http.get("/").status()).isEqualTo(200);
  }

  @Test
  void start_portInUse_namesKeyValueAndWayOut() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> lines = new CopyOnWriteArrayList<>();
      int inUse = taken.getLocalPort();
      try (PageServer second =
          PageServer.start(
              PagePlace.on(inUse), OPEN, source, store, null, lines(lines), () -> {})) {
        assertThat(second.awaitStart(START_MILLIS)).isFalse();
        assertThat(second.url()).isNull();
      }
      assertThat(lines).hasSize(1);
      assertThat(lines.get(0))
          .contains("deimos.page.port=" + inUse, "in use", "set deimos.page.port to a free port");
    }
  }

  @Test
  void start_impossiblePort_namesKeyAndValue() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (PageServer second =
        PageServer.start(PagePlace.on(70_000), OPEN, source, store, null, lines(lines), () -> {})) {
      assertThat(second.awaitStart(START_MILLIS)).isFalse();
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("deimos.page.port=70000", "[0, 65535]");
  }

  @Test
  void threads_all_areDaemons() throws IOException {
    http.get("/api/state");
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(t -> t.getName().startsWith("deimos-page"))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(Thread::isDaemon);
  }

  @Test
  void get_root_isThePageUnderItsPolicy() throws IOException {
    Reply reply = http.get("/");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers())
        .containsEntry("Content-Type", "text/html; charset=utf-8")
        .containsEntry("X-Content-Type-Options", "nosniff")
        .containsEntry("Referrer-Policy", "no-referrer")
        .containsEntry("Cache-Control", "no-store")
        .containsEntry("Connection", "close");
    assertThat(reply.headers().get("Content-Security-Policy"))
        .contains("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'");
    assertThat(reply.text()).containsIgnoringCase("<!doctype html>").contains("Deimos");
    assertThat(http.get("/", "Accept-Encoding: br, gzip").unpacked()).isEqualTo(reply.text());
  }

  /** The page has no service worker; who had the port before may have left one in a browser. */
  @Test
  void get_serviceWorkerOfAnyAddress_isOneThatLeaves() throws Exception {
    open(new PageAccess(PageAccessMode.TOKEN, PageControl.TOKEN, PageAccessMode.OPEN, TOKEN), null);
    for (String path : List.of("/worker.js", "/", "/api/v1/actors", "/nodes/x/sw")) {
      Reply reply = http.get(path, "Service-Worker: script", "Sec-Fetch-Site: same-origin");
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertThat(reply.headers()).containsEntry("Content-Type", "text/javascript");
      assertThat(reply.text()).contains("registration.unregister()");
    }
    String other = "Sec-Fetch-Site: cross-site";
    assertThat(http.get("/", "Service-Worker: script", other).status()).isEqualTo(403);
  }

  @Test
  void post_otlp_isTakenByNoPageOfAnApplication() throws IOException {
    for (String path : List.of("/v1/traces", "/v1/metrics", "/v1/logs")) {
      Reply empty = http.post(path, "");
      assertThat(empty.status()).as(path).isEqualTo(405);
      assertThat(http.post(path, "{}").status()).as(path).isEqualTo(413);
    }
  }

  private static String token() {
    return TOKEN;
  }

  private Reply change(String query, String... headers) throws IOException {
    return http.send("POST", "/api/settings?" + query, "127.0.0.1:" + port, headers);
  }

  @Test
  void post_settingWithToken_changesIt() throws IOException {
    Reply reply = change("key=deimos.tracing.asks&value=off", "X-Deimos-Token: " + token());
    assertThat(reply.status()).isEqualTo(200);
    assertThat(source.set)
        .containsExactly("Set[key=deimos.tracing.asks, value=off, during=null] by the page");
    Reply sameSite =
        change(
            "key=deimos.tracing.asks&value=",
            "X-Deimos-Token: " + token(),
            "Origin: http://localhost:" + port);
    assertThat(sameSite.status()).isEqualTo(200);
    assertThat(source.set)
        .endsWith("Set[key=deimos.tracing.asks, value=null, during=null] by the page");
  }

  @Test
  void post_presetWithToken_beginsAndEndsIt() throws IOException {
    String token = "X-Deimos-Token: " + token();
    for (String query :
        List.of(
            "preset=look-closely&for=30s&who=Ada%0a", "end=look-closely", "key=k&value=v&for=1h")) {
      assertThat(change(query, token).status()).as(query).isEqualTo(200);
    }
    assertThat(http.send("POST", "/api/v1/settings?end=3", "127.0.0.1:" + port, token).status())
        .isEqualTo(200);
    assertThat(source.set)
        .containsExactly(
            "Begin[preset=look-closely, during=PT30S] by the page (Ada)",
            "End[which=look-closely] by the page",
            "Set[key=k, value=v, during=PT1H] by the page",
            "End[which=3] by the page");
  }

  @Test
  void post_severalThingsAtOnceOrNone_isRefusedAndChangesNothing() throws IOException {
    for (String query :
        List.of(
            "",
            "value=1",
            "key=a&value=b&preset=production",
            "preset=production&end=production",
            "key=a&end=1",
            "preset=production&value=1",
            "end=1&for=5s",
            "key=a&for=5s",
            "preset=production&for=0s",
            "preset=production&for=5",
            "preset=production&for=soon",
            "preset=production&for=25h",
            "preset=production&fro=5s",
            "preset=production&who=" + "a".repeat(65))) {
      Reply reply = change(query, "X-Deimos-Token: " + token());
      assertThat(reply.status()).as(query).isEqualTo(400);
      assertThat(reply.text()).as(query).contains("error");
    }
    assertThat(source.set).isEmpty();
  }

  @Test
  void get_settings_sayWhatTheyAreCostAndComeFrom() throws IOException {
    assertThat(http.get("/api/settings").text())
        .contains("\"key\":\"deimos.tracing.asks\"")
        .contains("\"choices\":[\"true\",\"false\"]")
        .contains("\"costs\":\"a record and an object for each ask\"")
        .contains("\"source\":\"default\"");
  }

  @Test
  void get_anything_handsOutNoToken() throws IOException {
    for (String path : List.of("/api/settings", "/api/state", "/")) {
      assertThat(http.get(path).text()).doesNotContain("\"token\":", TOKEN);
    }
  }

  @Test
  void get_settings_saysWhetherTheyCanBeChanged() throws Exception {
    assertThat(http.get("/api/settings").json()).containsEntry("control", "token");
    assertThat(http.get("/api/settings", "X-Deimos-Token: " + TOKEN).json())
        .containsEntry("control", "on");
    open(new PageAccess(PageAccessMode.OPEN, PageControl.OFF, PageAccessMode.OPEN, TOKEN), null);
    assertThat(http.get("/api/settings", "X-Deimos-Token: " + TOKEN).json())
        .containsEntry("control", "off");
    Reply refused = change("key=deimos.tracing.asks&value=off", "X-Deimos-Token: " + TOKEN);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("deimos.page.control=token");
    assertThat(source.set).isEmpty();
  }

  @Test
  void access_token_isNeededForAllThatTellsSomething() throws Exception {
    open(
        new PageAccess(PageAccessMode.TOKEN, PageControl.TOKEN, PageAccessMode.OPEN, TOKEN),
        SCRAPED);
    for (String path : List.of("/api/state", "/api/traces", "/api/traces/x", "/api/settings")) {
      assertThat(http.get(path).status()).as(path).isEqualTo(401);
      assertThat(http.get(path, "X-Deimos-Token: " + TOKEN.replace('0', '1')).status())
          .as(path)
          .isEqualTo(401);
    }
    assertThat(http.get("/api/state", "X-Deimos-Token: " + TOKEN).status()).isEqualTo(200);
    assertThat(http.get("/api/state", "Authorization: Bearer " + TOKEN).status()).isEqualTo(200);
    assertThat(http.get("/").status()).as("it tells nothing").isEqualTo(200);
    assertThat(http.get("/metrics").status()).as("it has a switch of its own").isEqualTo(200);
  }

  @Test
  void access_off_leavesMetricsAlone() throws Exception {
    open(
        new PageAccess(PageAccessMode.OFF, PageControl.TOKEN, PageAccessMode.TOKEN, TOKEN),
        SCRAPED);
    for (String path : List.of("/", "/api/state", "/api/traces", "/api/settings")) {
      assertThat(http.get(path, "X-Deimos-Token: " + TOKEN).status()).as(path).isEqualTo(404);
    }
    assertThat(change("key=a&value=b", "X-Deimos-Token: " + TOKEN).status()).isEqualTo(404);
    assertThat(http.get("/metrics").status()).isEqualTo(401);
    assertThat(http.get("/metrics", "Authorization: Bearer " + TOKEN).text()).isEqualTo("up 1");
  }

  @Test
  void requests_thatAreNone_areRefusedAndTheNextIsAnswered() throws IOException {
    for (String request :
        List.of(
            "GET\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
            "\u0000\u0001\r\n\r\n")) {
      assertThat(http.raw(request).status()).as(request).isEqualTo(400);
    }
    assertThat(http.raw("GET /?" + "a".repeat(20_000)).status()).isEqualTo(431);
    assertThat(http.get("/", "Content-Length: 5").status()).isEqualTo(413);
    assertThat(http.get("/", "Transfer-Encoding: chunked").status()).isEqualTo(413);
    assertThat(http.get("/api/state").status()).isEqualTo(200);
  }

  @Test
  void requests_halfSent_doNotKeepOthersFromTheirAnswers() throws IOException {
    List<Socket> half = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        half.add(socket);
        socket
            .getOutputStream()
            .write("GET /api/state HTTP/1.1\r\nHost: 127".getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(http.get("/api/state").status()).isEqualTo(200);
      assertThat(http.get("/metrics").status()).isEqualTo(404);
    } finally {
      for (Socket socket : half) {
        socket.close();
      }
    }
  }

  @Test
  void get_fromAnotherSite_isRefused() throws IOException {
    for (String header :
        List.of("Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Origin: null")) {
      for (String path : List.of("/api/state", "/api/traces", "/api/settings", "/metrics")) {
        assertThat(http.get(path, header).status()).as(path + header).isEqualTo(403);
      }
    }
    assertThat(http.get("/api/state", "Sec-Fetch-Site: same-origin").status()).isEqualTo(200);
    String link =
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";
    assertThat(http.get("/", link).status()).as("a link to the page").isEqualTo(200);
  }

  @Test
  void answers_ofAnyAddress_letNoOtherSiteRead() throws IOException {
    for (String path : List.of("/", "/api/state", "/metrics", "/api/v1/about", "/none")) {
      for (String origin : List.of("http://evil.example", "http://127.0.0.1:" + http.port())) {
        assertThat(http.get(path, "Origin: " + origin).headers().keySet())
            .as(path + " for " + origin)
            .isNotEmpty()
            .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
      }
    }
  }

  @Test
  void post_settingThatCannotBe_saysWhy() throws IOException {
    Reply reply = change("key=wrong&value=1", "X-Deimos-Token: " + token());
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json()).containsEntry("error", "no such thing");
  }

  @Test
  void post_settingFromAnotherSite_isRefused() throws IOException {
    String asked = "key=deimos.tracing.asks&value=off";
    String token = "X-Deimos-Token: " + token();
    assertThat(change(asked).status()).isEqualTo(403);
    assertThat(change(asked, "X-Deimos-Token: 00").status()).isEqualTo(403);
    assertThat(change(asked, token, "Origin: http://evil.example").status()).isEqualTo(403);
    assertThat(change(asked, token, "Origin: null").status()).isEqualTo(403);
    assertThat(http.send("POST", "/api/settings?" + asked, "evil.example", token).status())
        .isEqualTo(403);
    assertThat(http.send("OPTIONS", "/api/settings", "127.0.0.1:" + port).status()).isEqualTo(405);
    assertThat(source.set).isEmpty();
  }

  @Test
  void get_foreignHost_isRefused() throws IOException {
    for (String host :
        new String[] {
          "evil.example",
          "evil.example:" + port,
          "127.0.0.1",
          "127.0.0.1:1",
          "localhost.evil.example:" + port,
          null
        }) {
      Reply reply = http.send("GET", "/api/state", host);
      // A request of HTTP/1.1 without a Host may be refused by the server itself.
      assertThat(reply.status()).as("Host: %s", host).isIn(400, 403);
      assertThat(reply.text()).doesNotContain("service");
    }
    assertThat(http.send("GET", "/api/state", "evil.example:" + port).json()).containsKey("error");
    assertThat(http.send("GET", "/", "a:1", "Host: 127.0.0.1:" + port).status()).isIn(400, 403);
  }

  @Test
  void get_ownHosts_areAnswered() throws IOException {
    for (String host : List.of("127.0.0.1:", "localhost:", "LocalHost:", "[::1]:")) {
      assertThat(http.send("GET", "/api/state", host + port).status()).isEqualTo(200);
    }
  }

  @Test
  void methods_otherThanGetAndHead_areRefused() throws IOException {
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE")) {
      Reply reply = http.send(method, "/api/state", "127.0.0.1:" + port, "Content-Length: 0");
      assertThat(reply.status()).isEqualTo(405);
      assertThat(reply.headers()).containsEntry("Allow", "GET, HEAD");
    }
    Reply head = http.send("HEAD", "/api/state", "127.0.0.1:" + port);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(http.send("HEAD", "/", "127.0.0.1:" + port).body()).isEmpty();
  }

  @Test
  void get_unknownPath_isNotFoundInJson() throws IOException {
    for (String path :
        List.of("/api", "/api/", "/api/nothing", "/favicon.ico", "/..%2f", "/index.htm")) {
      Reply reply = http.get(path);
      assertThat(reply.status()).as(path).isEqualTo(404);
      assertThat(reply.headers()).containsEntry("Content-Type", "application/json");
      assertThat(reply.json()).containsOnlyKeys("error");
    }
    assertThat(http.get("/api/traces/00000000000000010000000000000009").status()).isEqualTo(404);
    assertThat(http.get("/api/traces/x").status()).isEqualTo(404);
  }

  @Test
  void get_badQuery_namesParameterValueAndRange() throws IOException {
    Reply reply = http.get("/api/traces?limit=many");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json())
        .containsEntry("error", "limit=many: must be a whole number in [1, 1000]");
    assertThat(http.get("/api/traces?limit=0").status()).isEqualTo(400);
    assertThat(http.get("/api/traces?errors=yes").status()).isEqualTo(400);
    assertThat(http.get("/api/traces?limit=&errors=&q=&other").status()).isEqualTo(200);
  }

  @Test
  void get_gzipAccepted_isPacked() throws IOException {
    Reply packed = http.get("/api/state", "Accept-Encoding: gzip, deflate");
    assertThat(packed.headers()).containsEntry("Content-Encoding", "gzip");
    assertThat(object(JsonReader.read(packed.unpacked()))).containsKey("service");
    assertThat(http.get("/api/state", "Accept-Encoding: gzip;q=0").headers())
        .doesNotContainKey("Content-Encoding");
    assertThat(http.get("/api/state").headers()).doesNotContainKey("Content-Encoding");
  }

  @Test
  void get_sourceFails_isAnErrorAndTheNextIsAnswered() throws IOException {
    source.failing = true;
    Reply broken = http.get("/api/state");
    assertThat(broken.status()).isEqualTo(500);
    assertThat(broken.json()).containsOnlyKeys("error");
    Reply packed = http.get("/api/state", "Accept-Encoding: gzip");
    assertThat(packed.status()).isEqualTo(500);
    assertThat(object(JsonReader.read(packed.unpacked()))).containsOnlyKeys("error");
    source.failing = false;
    assertThat(http.get("/api/state").status()).isEqualTo(200);
  }

  @Test
  void state_countsOfActors_followTheContract() throws IOException {
    ActorKind kind = ActorKinds.of("shop", "shop.PageCart", false);
    Records.counted(kind, new IllegalStateException("x"));
    Records.counted(kind, StringBuilder.class, true);
    Records.counted(kind, StringBuilder.class, false);
    Records.counted(Byte.class, true);
    ActorKinds.of("shop", "shop.Silent", true);
    Map<String, Object> state = http.get("/api/state").json();
    assertThat(state)
        .containsOnlyKeys(
            "service",
            "systems",
            "version",
            "pekkoVersion",
            "jdk",
            "startedAtMillis",
            "nowMillis",
            "recorder",
            "hooks",
            "profiling",
            "problems",
            "presets",
            "totals",
            "bounds",
            "actors",
            "failures",
            "asks",
            "remote")
        .containsEntry("service", "my \"shop\"")
        .containsEntry("version", "0.1");
    assertThat(array(state.get("problems"))).contains("a=b: wrong");
    assertThat(object(state.get("recorder")))
        .containsEntry("export", "store")
        .containsEntry("spansExported", 5L)
        .containsKeys("messages", "spansRecorded", "spansDropped", "tracesKept");
    assertThat(object(state.get("hooks"))).containsOnlyKeys("state", "ok", "total", "missing");
    assertThat(object(state.get("totals")))
        .containsOnlyKeys(
            "actorsLive",
            "deadLetters",
            "deadLettersSuppressed",
            "unhandled",
            "dropped",
            "stuckNow",
            "classes",
            "failed",
            "failures",
            "errorTypes",
            "processing",
            "wait")
        .containsEntry("classes", (long) array(state.get("actors")).size())
        .containsEntry("failures", (long) array(state.get("failures")).size());
    List<Object> bounds = array(state.get("bounds"));
    assertThat(bounds).hasSize(22).startsWith(1.0e-6).endsWith(10.0);
    Map<String, Object> actor = named(state.get("actors"), "shop.PageCart");
    assertThat(actor)
        .containsEntry("system", "shop")
        .containsEntry("live", 1L)
        .containsEntry("started", 1L)
        .containsEntry("stopped", 0L)
        .containsEntry("restarted", 0L)
        .containsEntry("failed", 1L);
    Map<String, Object> message = named(actor.get("messages"), "java.lang.StringBuilder");
    assertThat(message).containsEntry("processed", 2L).containsEntry("failed", 1L);
    assertThat(object(message.get("processing")))
        .containsEntry("count", 2L)
        .containsEntry("sumNanos", 2_000_000L);
    assertThat(object(message.get("wait"))).containsEntry("sumNanos", 4_000_000L);
    assertThat(array(object(message.get("wait")).get("buckets"))).hasSize(23);
    assertThat(array(state.get("failures")))
        .contains(
            Map.of(
                "actorClass",
                "shop.PageCart",
                "errorType",
                "java.lang.IllegalStateException",
                "count",
                1L));
    Map<String, Object> ask = named(state.get("asks"), "java.lang.Byte");
    assertThat(ask).containsEntry("count", 1L).containsEntry("timeouts", 1L);
    assertThat(object(ask.get("duration"))).containsEntry("sumNanos", 3_000_000L);
    assertThat(array(state.get("actors")).toString()).doesNotContain("shop.Silent");
  }

  private static Map<String, Object> named(@Nullable Object list, String className) {
    return array(list).stream()
        .map(JsonReader::object)
        .filter(one -> className.equals(one.get("class")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void traces_kept_followTheContract() throws IOException {
    long now = Clock.now();
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
    Rare failure = new Rare(new IllegalStateException("no \"stock\""), null, null, null);
    records.processed(1, 2, 3, 0, now, now + 1_000, 4_000, cart, null, null);
    records.processed(1, 2, 4, 3, now + 2_000, now + 2_500, 500, cart, cart, failure);
    String id = "00000000000000010000000000000002";

    List<Object> traces =
        array(http.get("/api/traces?limit=5&errors=true&q=cart-7").json().get("traces"));
    assertThat(traces)
        .singleElement()
        .satisfies(
            line ->
                assertThat(object(line))
                    .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                            Map.entry("traceId", id),
                            Map.entry("name", "process Place"),
                            Map.entry("startEpochNanos", Long.toString(Clock.epochNanos(now))),
                            Map.entry("durationNanos", 5_000L),
                            Map.entry("spans", 2L),
                            Map.entry("truncated", 0L),
                            Map.entry("reduced", false),
                            Map.entry("nodes", 1L),
                            Map.entry("errors", 1L),
                            Map.entry("timeouts", 0L),
                            Map.entry("incidents", 0L),
                            Map.entry("complete", true),
                            Map.entry("running", false),
                            Map.entry("actorClasses", List.of("shop.Cart")))));
    assertThat(array(http.get("/api/traces?q=%20no%20such").json().get("traces"))).isEmpty();

    Map<String, Object> trace = http.get("/api/traces/" + id).json();
    assertThat(trace)
        .containsEntry("traceId", id)
        .containsEntry("name", "process Place")
        .containsEntry("complete", true)
        .containsEntry("running", false)
        .containsEntry("startEpochNanos", Long.toString(Clock.epochNanos(now)))
        .containsEntry("durationNanos", 5_000L);
    Map<String, Object> root = object(array(trace.get("spans")).get(0));
    assertThat(root)
        .containsOnlyKeys(
            "spanId",
            "parentSpanId",
            "name",
            "node",
            "kind",
            "scope",
            "offsetNanos",
            "durationNanos",
            "waitNanos",
            "status",
            "statusMessage",
            "attributes",
            "events",
            "links")
        .containsEntry("spanId", "0000000000000003")
        .containsEntry("parentSpanId", null)
        .containsEntry("kind", "CONSUMER")
        .containsEntry("offsetNanos", 0L)
        .containsEntry("durationNanos", 5_000L)
        .containsEntry("waitNanos", 1_000L)
        .containsEntry("status", "UNSET");
    assertThat(object(root.get("attributes"))).containsEntry("pekko.actor.class", "shop.Cart");
    Map<String, Object> failed = object(array(trace.get("spans")).get(1));
    assertThat(failed)
        .containsEntry("parentSpanId", "0000000000000003")
        .containsEntry("offsetNanos", 2_000L)
        .containsEntry("waitNanos", 500L)
        .containsEntry("status", "ERROR")
        .containsEntry("statusMessage", "no \"stock\"");
    assertThat(array(failed.get("events")))
        .extracting(event -> object(event).get("name"), event -> object(event).get("offsetNanos"))
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("waiting", 2_000L),
            org.assertj.core.api.Assertions.tuple("message", 2_500L),
            org.assertj.core.api.Assertions.tuple("exception", 3_000L));
  }

  @Test
  void trace_notThere_saysWhy() throws IOException {
    assertThat(http.get("/api/traces/0000000000000007000000000000000f").json())
        .containsEntry("reason", "unknown")
        .extractingByKey("error")
        .asString()
        .contains("deimos.page.traces-per-second=50");
    assertThat(http.get("/api/traces/7").json()).containsEntry("reason", "no_id");
    store.pin(7, 8);
    assertThat(http.get("/api/traces/00000000000000070000000000000008").json())
        .containsEntry("reason", "to_come");
  }

  @Test
  void traces_queryThatCannotBeRead_saysWhy() throws IOException {
    var answer = http.get("/api/traces?q=duration%3E5");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("error")).asString().contains("needs a number with a unit");
  }

  @Test
  void history_ofCharts_isAnswered() throws IOException {
    assertThat(http.get("/api/history").json())
        .containsOnlyKeys(
            "everyMillis",
            "seconds",
            "rate",
            "processingP50",
            "processingP99",
            "waitP50",
            "waitP99");
  }

  @Test
  void close_afterwards_nobodyAnswers() throws IOException {
    PageServer closed = Objects.requireNonNull(server);
    closed.close();
    assertThat(closed.url()).isNull();
    org.assertj.core.api.Assertions.assertThatIOException().isThrownBy(() -> http.get("/"));
  }

  private static final class Source implements PageSource {
    @Override
    public Accountant accountant() {
      return Accountant.ofHeap(1, Long.MAX_VALUE);
    }

    private volatile boolean failing;
    private final List<String> set = new CopyOnWriteArrayList<>();

    @Override
    public PageSettings settings() {
      return new PageSettings() {
        @Override
        public SettingsReading read() {
          SettingLine asks = new SettingLine(Keys.ASKS, "true", "default", true, false, "", null);
          return new SettingsReading(List.of(asks), List.of(), List.of(), List.of());
        }

        @Override
        public List<SettingsReading.ChangeLine> presets() {
          return List.of();
        }

        @Override
        public @Nullable String change(SettingsChange change, String by) {
          if (change instanceof SettingsChange.Set one && one.key().equals("wrong")) {
            return "no such thing";
          }
          set.add(change + " by " + by);
          return null;
        }
      };
    }

    @Override
    public String serviceName() {
      if (failing) {
        throw new IllegalStateException("broken");
      }
      return "my \"shop\"";
    }

    @Override
    public String version() {
      return "0.1";
    }

    @Override
    public String exportTarget() {
      return "store";
    }

    @Override
    public long spansExported() {
      return 5;
    }

    @Override
    public long spansDropped() {
      return 0;
    }

    @Override
    public List<String> problems() {
      return List.of("a=b: wrong");
    }
  }
}
