// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
  private static final String ANSWER =
      """
      {"nowMillis":100000,"total":40,"living":50,"known":{"recordedShare":0.5,"mailboxes":30},
       "actors":[{"path":"pekko://shop/user/cart \\u001b","class":"shop.Cart","mailbox":12,
       "ratePerSecond":3.25,"busyShare":0.105,"waitP99Nanos":2500000,"failures":1,"restarts":0,
       "madeAtMillis":10000},
       {"path":"pekko://shop/user/b","class":"shop.B","mailbox":null,"ratePerSecond":0.0,
       "busyShare":0.0,"waitP99Nanos":null,"failures":0,"restarts":0,"madeAtMillis":99000}]}
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** The answer before {@code body}. */
  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();

  private final List<String> toldBeforeTheProof = new CopyOnWriteArrayList<>();
  private volatile String known = "abc";

  private HttpServer server;
  private volatile int status = 200;
  private volatile String body = ANSWER;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/api/v1/about")) {
            toldBeforeTheProof.addAll(
                exchange.getRequestHeaders().values().stream().flatMap(List::stream).toList());
            String number = exchange.getRequestHeaders().getFirst("Deimos-Number");
            String host = exchange.getRequestHeaders().getFirst("Host");
            exchange.getResponseHeaders().set("Deimos-Proof", proof(host, number));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
            return;
          }
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("X-Deimos-Token"));
          String first = bodies.poll();
          byte[] bytes = (first == null ? body : first).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  /** As docs/page-api.md has it. */
  private String proof(String host, String number) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(known.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      String said = "deimos|page|" + host + "|" + number;
      return HexFormat.of().formatHex(mac.doFinal(said.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Commands commands() {
    return new Commands(
        new PrintStream(out, true),
        new PrintStream(err, true),
        "deimos 1.2.3 (OpenTelemetry agent 4.5.6)");
  }

  private int run(String... arguments) {
    return commands().run(Map.of(), arguments);
  }

  private int actors(String... options) {
    return ask("actors", options);
  }

  private int ask(String command, String... options) {
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    return commands()
        .run(
            Map.of("DEIMOS_PAGE_TOKEN", "abc"),
            Stream.concat(Stream.of(command, "--page", page), Arrays.stream(options))
                .toArray(String[]::new));
  }

  @Test
  void actors_ofAPage_areATable() {
    assertThat(actors()).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "MAILBOX  MSG/S   BUSY  WAIT P99  FAILED  RESTARTS    AGE  CLASS  PATH",
            "     12    3.3  10.5%    2.5 ms       1         0  1 min  Cart  "
                + " pekko://shop/user/cart ?",
            "      -    0.0   0.0%         -       0         0    1 s  B      pekko://shop/user/b",
            "2 of 40 actors, of 50 that live",
            "Rates, busy shares, waits and failures are of the 50.0 % of messages that were"
                + " recorded.",
            "Only 30 mailboxes are looked into.");
    assertThat(asked).containsExactly("/api/v1/actors?sort=-mailbox&limit=20 abc");
  }

  @Test
  void actors_withOptions_asksForThem() {
    assertThat(actors("--sort", "+age", "--limit", "3", "--find", "a b", "--class", "C$D"))
        .isZero();
    assertThat(asked).containsExactly("/api/v1/actors?sort=age&limit=3&q=a+b&class=C%24D abc");
  }

  @Test
  void actors_json_isTheAnswerItself() {
    assertThat(actors("--json")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith(ANSWER);
  }

  @Test
  void where_ofAPage_isALineForEachAndWhatWasLookedAt() {
    body =
        """
        {"total":7,"fates":{"in_mailbox":1,"processed":6},"matches":[
          {"fate":"in_mailbox","story":"Charge is the next in the mailbox of shop/user/p.",
           "atMillis":1000,"traceId":null,"content":"Charge(17)\\u001b"}],
         "looked":{"records":100,"sinceMillis":1000,"waiting":3,"actors":2,"asks":1,"troubles":4,
          "traces":5},
         "notLookedAt":["Another process."]}
        """;
    assertThat(ask("where", "message:Charge", "--limit", "1", "cart 17")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "in_mailbox   Charge is the next in the mailbox of shop/user/p.",
            "             at 1970-01-01T00:00:01Z says Charge(17)?",
            "1 of 7: 1 in mailbox, 6 processed",
            "looked at: 100 processed messages since 1970-01-01T00:00:01Z, 3 that wait at 2 actors,"
                + " 1 open asks, 4 examples of trouble, 5 traces",
            "not looked at: Another process.");
    assertThat(asked).containsExactly("/api/v1/where?limit=1&q=message%3ACharge+cart+17 abc");
  }

  @Test
  void where_nothingFound_saysSo() {
    body =
        """
        {"total":0,"fates":{},"matches":[],"looked":{"records":0,"sinceMillis":null},
         "notLookedAt":[]}
        """;
    assertThat(ask("where", "x")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("never seen, in what was looked at")
        .contains("looked at: 0 processed messages, 0 that wait");
  }

  @Test
  void tap_ofAPage_isFollowedToItsEnd() {
    String message =
        """
        {"number":1,"atMillis":1000,"class":"shop.Charge","actorPath":"pekko://shop/user/p",
         "senderPath":"pekko://shop/user/c","waitNanos":5000,"processingNanos":2500000,
         "error":"x.Y","traceId":"0a","content":"Charge(17)"}
        """;
    bodies.add("{\"id\":\"0f\",\"state\":\"open\",\"last\":0,\"messages\":[]}");
    bodies.add(
        "{\"id\":\"0f\",\"state\":\"ended\",\"endedBy\":\"count\",\"taken\":1,\"leftOut\":3,\"last\":1,"
            + "\"recordedShare\":0.5,\"messages\":["
            + message
            + "]}");
    assertThat(ask("tap", "--class", "*Charge", "--to", "/user/*", "--count", "1")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "1970-01-01T00:00:01Z  shop.Charge to pekko://shop/user/p from pekko://shop/user/c"
                + " waited 5 us took 2.5 ms failed with x.Y trace 0a says Charge(17)",
            "1 messages, 3 more that the rate left out; ended by count",
            "Only the 50.0 % of messages that are recorded can be seen.");
    assertThat(asked)
        .containsExactly(
            "/api/v1/tap?class=*Charge&to=%2Fuser%2F*&count=1 abc", "/api/v1/tap/0f?after=0 abc");
  }

  @Test
  void tap_thatCannotBe_saysWhy() {
    assertThat(ask("tap", "--form", "x")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("--form is no option of tap")
        .contains("--seconds N");
    status = 503;
    body = "{\"error\":\"4 taps are open\"}";
    assertThat(ask("tap")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("deimos: 4 taps are open");
  }

  @Test
  void threads_ofAPage_areLinesBelowTheirDispatcher() {
    body =
        """
        {"threadsLeftOut":4,"dispatchers":[
         {"system":"shop","name":"few","parallelism":2,"active":2,"queued":7,"waitNanos":2400000000,
          "threads":[{"id":7,"name":"shop-few-1","state":"runnable","work":{
           "actorPath":"pekko://shop/user/c","messageClass":"shop.Charge","forNanos":1500000000,
           "traceId":"0a"}}]},
         {"system":"shop","name":"idle","parallelism":2,"active":null,"queued":0,"waitNanos":0,
          "threads":[]},
         {"name":null,"threads":[{"id":8,"name":"main","state":"waiting","work":null}]}]}
        """;
    assertThat(ask("threads", "--busy", "no")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "shop few: 2 of 2 threads busy, 7 tasks wait, one for 2.4 s",
            "  shop-few-1  runnable  shop.Charge in pekko://shop/user/c for 1.500 s trace 0a",
            "shop idle: ? of 2 threads busy, 0 tasks wait",
            "threads of no dispatcher",
            "  main  waiting",
            "and 4 more threads");
    assertThat(asked).containsExactly("/api/v1/threads?busy=false&limit=20 abc");
  }

  @Test
  void top_ofAPage_isTheLastMinuteAndTheGreatest() {
    body =
        """
        {"hour":{"seconds":[1,2],"rate":[10,25.5],"processingP99":[1,2000000],"waitP99":[1,null],
          "failures":[2,3],"askTimeouts":[0,1],"deadLetters":[0,0],"actorsLive":[7,8],
          "heapBytes":[1,104857600]},
         "outlook":{"growing":[{"kind":"mailbox","of":"shop.Cart","says":"Mailboxes of Cart grow."}],
          "heap":{"says":"the heap will be full in about 12 min"}},
         "metrics":[
          {"name":"pekko.dispatcher.queue.size","series":[{"of":["shop","few"],"value":7},
           {"of":["shop","idle"],"value":0}]},
          {"name":"pekko.x.duration","series":[{"of":[],"value":3,"p99Nanos":1500000}]}]}
        """;
    assertThat(ask("top")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "last minute: 25.5 messages a second, processing p99 2.0 ms, wait p99 -",
            "             8 actors, 100 MiB of heap at most",
            "last 2 min:  5 failures, 1 ask time-outs, 0 dead letters",
            "Mailboxes of Cart grow.",
            "If it goes on so, the heap will be full in about 12 min.",
            "           7  dispatcher queue size  shop few",
            "           3  x duration  p99 1.5 ms");
    assertThat(asked).containsExactly("/api/v1/system?limit=20 abc");
  }

  @Test
  void top_withTheTransport_saysHowItBatchesAndWhatToDo() {
    body =
        """
        {"hour":{"seconds":[]},"metrics":[],"transport":[
         {"system":"shop","peer":"pekko://shop@b:1","stream":"ordinary","batches":400,
          "reasons":{"idle":390,"drained":10},"length":{"mean":1.1},"bytes":{"mean":230.4},
          "flushNanos":{"p99":25000},"advice":"Nothing waits together here."}]}
        """;
    assertThat(ask("top")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "the first minute is not over",
            "to pekko://shop@b:1, ordinary: 400 batches, 1.1 messages and 230 bytes each, flush p99"
                + " 25 us",
            "  ended by idle 390, drained 10",
            "  Nothing waits together here.");
  }

  @Test
  void map_ofAPage_isALineForEachEdge() {
    body =
        """
        {"seconds":36.2,"messages":500,"edgesLeftOut":2,"recordedShare":0.5,"nodes":[
         {"key":"class:shop.Cart","kind":"class","name":"shop.Cart"},
         {"key":"timer","kind":"timer","name":"timers"}],"edges":[
         {"from":"timer","to":"class:shop.Cart","ratePerSecond":2.5,"failures":1,
          "waitP99Nanos":2500000,"classes":[{"class":"shop.Cart$Tick"},{"class":"shop.Tock"}],
          "slowest":{"traceId":"0123456789abcdef0123456789abcdef"}},
         {"from":"timer","to":"timer","ratePerSecond":1,"failures":0,"waitP99Nanos":null,
          "classes":[],"slowest":null}]}
        """;
    assertThat(ask("map", "--seconds", "60", "--open", "shop.Cart", "--find", "tick")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "   MSG/S  WAIT P99  FAILED  SLOWEST TRACE                     FROM -> TO: MESSAGES",
            "     2.5    2.5 ms       1  0123456789abcdef0123456789abcdef  timers -> Cart: Cart.Tick,"
                + " Tock",
            "     1.0         -       0  -                                 timers -> timers: ",
            "2 edges, 500 messages of the last 36 s",
            "2 more edges are left out; --limit shows more",
            "Rates, busy shares, waits and failures are of the 50.0 % of messages that were"
                + " recorded.");
    assertThat(asked).containsExactly("/api/v1/map?limit=20&seconds=60&open=shop.Cart&q=tick abc");
    assertThat(ask("map", "--kind", "failure")).isEqualTo(2);
  }

  @Test
  void trouble_ofAPage_isALineForEachKind() {
    body =
        """
        {"total":2,"groups":[
         {"kind":"failure","count":10000,"lastMillis":1000,"why":"shop.No",
          "latest":{"story":"Cart failed","traceId":"0a","actorPath":"pekko://shop/user/c"}},
         {"kind":"restart","count":3,"lastMillis":null,"latest":{"story":"Restarted.",
          "traceId":null,"actorPath":null}}]}
        """;
    assertThat(ask("trouble", "--kind", "failure")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "   10000  failure      Cart failed",
            "                       last 1970-01-01T00:00:01Z trace 0a actor pekko://shop/user/c",
            "       3  restart      Restarted.",
            "2 of 2 kinds of trouble");
    assertThat(asked).containsExactly("/api/v1/trouble?limit=20&kind=failure abc");
    assertThat(ask("trouble", "--sort", "age")).isEqualTo(2);
  }

  @Test
  void traces_ofAQuery_areALineEach() {
    body =
        """
        {"traces":[{"traceId":"0a","name":"POST /cart","startEpochNanos":"1000000000",
          "durationNanos":2500000,"spans":12,"errors":1,"timeouts":1,"incidents":0},
         {"traceId":"0b","name":"Tick \u001b","startEpochNanos":"2000000000",
          "durationNanos":1500000000,"spans":1,"errors":0,"timeouts":0,"incidents":0},
         {"traceId":"0c","name":"Pay","startEpochNanos":"2000000000","reduced":true,
          "durationNanos":1500000000,"spans":1,"errors":1,"timeouts":0,"incidents":0}]}
        """;
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(run("traces", "duration>1ms actor:Cart", "--page", page, "--errors", "yes"))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "DURATION  SPANS  TROUBLE  BEGAN                 TRACE  NAME",
            "  2.5 ms     12        2  1970-01-01T00:00:01Z  0a  POST /cart",
            "   1.5 s      1        0  1970-01-01T00:00:02Z  0b  Tick ?",
            "   1.5 s      1        1  1970-01-01T00:00:02Z  0c  Pay, reduced to its trouble",
            "java -jar deimos.jar trace TRACE has the spans of one");
    assertThat(asked)
        .containsExactly("/api/v1/traces?q=duration%3E1ms+actor%3ACart&limit=20&errors=true null");
    assertThat(ask("traces", "cart", "--limit", "3")).as("after an option, too").isZero();
    assertThat(asked).last().isEqualTo("/api/v1/traces?q=cart&limit=3 abc");
    assertThat(ask("traces", "cart", "tea")).as("in quotes, or as one word").isEqualTo(2);
    assertThat(ask("traces", "--limit", "3")).isZero();
    assertThat(asked).last().isEqualTo("/api/v1/traces?limit=3 abc");
  }

  @Test
  void compare_ofAQuery_isALineForEachDifference() {
    body =
        """
        {"name":"Checkout","selected":20,"rest":180,"differencesLeftOut":2,"differences":[
         {"field":"customer","value":"acme","also":[{"field":"event","value":"late"}],
          "alsoLeftOut":1,"selectedShare":1,"restShare":0.025,"certain":0.412},
         {"field":"node","value":"0a11","also":[],"alsoLeftOut":0,"selectedShare":0.1,
          "restShare":0.5,"certain":-0.08}]}
        """;
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(run("compare", "duration>1ms", "--page", page)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "20 traces named Checkout against 180 others",
            "  THESE   OTHERS  AT LEAST  VALUE",
            " 100.0%     2.5%     41.2%  customer = acme, and 2 more of the same traces",
            "  10.0%    50.0%     -8.0%  node = 0a11",
            "and 2 more");
    assertThat(asked).containsExactly("/api/v1/traces/compare?q=duration%3E1ms&limit=20 null");
    body = "{\"name\":\"\",\"selected\":0,\"rest\":0,\"differences\":[]}";
    assertThat(ask("compare", "--errors", "yes")).isZero();
    assertThat(said()).contains("nothing differs for sure");
    assertThat(asked).last().isEqualTo("/api/v1/traces/compare?limit=20&errors=true abc");
  }

  @Test
  void trace_byItsId_isATreeOfSpans() {
    body =
        """
        {"traceId":"0a","name":"POST /cart","startEpochNanos":"1000000000","complete":false,
         "running":false,"durationNanos":2500000,"truncated":1,"spansLeftOut":2,"spans":[
         {"spanId":"01","parentSpanId":null,"name":"POST /cart","offsetNanos":0,
          "durationNanos":2500000,"waitNanos":null,"status":"UNSET","statusMessage":"","events":[]},
         {"spanId":"03","parentSpanId":"02","name":"Charge","offsetNanos":1200000,
          "durationNanos":100000,"waitNanos":5000,"status":"ERROR","statusMessage":"no money",
          "events":[{"name":"exception","offsetNanos":1300000,
           "attributes":{"exception.type":"shop.No","exception.message":"no money"}}]},
         {"spanId":"02","parentSpanId":"01","name":"Add","offsetNanos":1000000,
          "durationNanos":1000000,"waitNanos":2000,"status":"UNSET","statusMessage":"",
          "events":[]}]}
        """;
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(run("trace", "0a", "--page", page)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "POST /cart: 2.5 ms, 3 spans, 1970-01-01T00:00:01Z, in part",
            "   AFTER     TOOK   WAITED  SPAN",
            "    0 us   2.5 ms        -  POST /cart",
            "  1.0 ms   1.0 ms     2 us    Add",
            "  1.2 ms   100 us     5 us      Charge  FAILED no money",
            "  1.3 ms                    exception shop.No no money",
            "and 3 more spans");
    assertThat(asked).containsExactly("/api/v1/traces/0a?limit=1000 null");
    assertThat(run("trace", "--page", page)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("trace needs ID");
  }

  @Test
  void cluster_ofAPage_isALineForEachMemberAndLink() {
    body =
        """
        {"processes":[{"id":"0a","service":"shop","pid":7,"clockOffsetNanos":null,
          "clockErrorNanos":null},
          {"id":"0b","service":"shop","pid":8,"clockOffsetNanos":-120000000000,
          "clockErrorNanos":50000}],
         "clusters":[{"system":"shop","members":[
          {"address":"pekko://shop@a:1","process":"0a","status":"up","dataCenter":"default",
           "roles":["web"],"leader":true,"leads":["web"],"unreachableFrom":[],"seenAs":[]},
          {"address":"pekko://shop@b:1\u001b","process":null,"status":"up","dataCenter":"default",
           "roles":[],"leader":false,"leads":[],"unreachableFrom":["pekko://shop@a:1"],
           "seenAs":[{"by":"pekko://shop@a:1","status":"down"}]}],
          "singletons":[{"name":"stock","addresses":["pekko://shop@a:1"]}],
          "sharding":[{"type":"carts","regions":[{"address":"pekko://shop@a:1","shards":3,
           "entities":40,"largest":20,"buffered":1}]}]}],
         "links":[{"from":"pekko://shop@a:1","fromProcess":"0a","to":"pekko://shop@b:1",
          "messagesPerSecond":3.25,"bytesPerSecond":100.0,"queued":2,"dropped":1,"batchMean":1.5,
          "tracedP50Nanos":250000,"heartbeatP99Nanos":1000000000}],
         "linksLeftOut":1,
         "differences":[{"what":"deimos.page.port","values":[{"value":"1","processes":["0a"]},
          {"value":null,"processes":["0b"]}]}]}
        """;
    assertThat(ask("cluster")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "cluster shop, 2 members",
            "  pekko://shop@a:1  up, leader, leads web, roles web, dc default, shop 7",
            "  pekko://shop@b:1?  up, dc default, not on this page, UNREACHABLE from"
                + " pekko://shop@a:1, down to pekko://shop@a:1",
            "  singleton stock at pekko://shop@a:1",
            "  carts at pekko://shop@a:1: 3 shards, 40 entities, 20 in the largest, 1 messages"
                + " wait",
            "pekko://shop@a:1 -> pekko://shop@b:1: 3.3 messages and 100 bytes a second, 2 wait,"
                + " 1 lost, 1.5 in a batch, p50 250 us in traces, heartbeats p99 1.0 s",
            "and 1 more links",
            "the clock of shop 8 is 120.0 s behind the page's, +- 50 us",
            "deimos.page.port differs:",
            "  1: shop 7",
            "  (the default): shop 8");
    assertThat(asked).containsExactly("/api/v1/cluster?limit=20 abc");
  }

  @Test
  void nodes_ofAPage_isALineForEachWithWhatIsNotHere() {
    body =
        """
        {"nowMillis":5000,"nodes":[
          {"id":"0a","state":"page","sinceMillis":1000,"service":"deimos-page","pid":7,
           "startedAtMillis":0,"messages":0,"actorsLive":0,"spansReceived":0,"spansNotSent":0,
           "troubleLeftOut":0},
          {"id":"0b","state":"joined","sinceMillis":2000,"service":"shop\u001b","pid":8,
           "startedAtMillis":1,"messages":12,"actorsLive":3,"spansReceived":40,"spansNotSent":9,
           "troubleLeftOut":2}],
         "otlp":{"requests":3,"refused":1,"spans":10,"spansTurnedAway":2,"logs":5,"notKept":4,
          "lastRefused":"gRPC: no","lastRefusedMillis":3000}}
        """;
    assertThat(ask("nodes")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "deimos-page 7  page since 1970-01-01T00:00:01Z",
            "shop? 8  joined since 1970-01-01T00:00:02Z, 12 messages, 3 actors, 40 spans here,"
                + " 9 NOT SENT, 2 kinds of trouble left out",
            "OTLP: 3 requests with 10 spans, 2 of them not kept; 5 log records;"
                + " 4 data points, none kept; 1 refused",
            "      last at 1970-01-01T00:00:03Z, gRPC: no");
    assertThat(asked).containsExactly("/api/v1/nodes?limit=20 abc");
  }

  @Test
  void actors_refused_saysWhy() {
    status = 400;
    body = "{\"error\":\"sort=x: must be one of mailbox\"}";
    assertThat(actors("--sort", "x")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("deimos: sort=x: must be one of");
  }

  @Test
  void actors_ofSomethingElse_saysThatItIsNoPage() {
    body = "<html>";
    assertThat(actors()).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("is no page of Deimos");
  }

  @Test
  void actors_withTheTokenInAFileOrAVariable_sendItAndWarnOfNothing(@TempDir Path directory)
      throws IOException {
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    Path file = Files.writeString(directory.resolve("token"), "abc\n");
    assertThat(run("actors", "--token-file", file.toString(), "--page", page + "/")).isZero();
    assertThat(run("control", "--page", page, "--token-file", file.toString())).isZero();
    assertThat(commands().run(Map.of("DEIMOS_PAGE_TOKEN", "abc"), "trouble", "--page", page))
        .isZero();
    assertThat(run("control", "--page", page + "/nodes/1", "--token-file", file.toString()))
        .isZero();
    assertThat(asked).hasSize(4).allMatch(one -> one.endsWith(" abc"));
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void actors_withTheTokenOnTheCommandLine_warnInOneLine() {
    String page = "http://127.0.0.1:" + server.getAddress().getPort() + "/#token=abc";
    assertThat(run("actors", "--page", page)).isZero();
    assertThat(asked).hasSize(1).allMatch(one -> one.endsWith(" abc"));
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(1)
        .allMatch(line -> line.contains("every user of this machine") && !line.contains("abc"));
  }

  @Test
  void actors_withATokenThatAUserMade_sendWhatItIs() {
    known = "100%+/=%25#<\"`|~";
    String page = "http://127.0.0.1:" + server.getAddress().getPort();
    assertThat(commands().run(Map.of("DEIMOS_PAGE_TOKEN", known), "actors", "--page", page))
        .isZero();
    assertThat(run("actors", "--page", page + "/#token=100%25+/=%2525#%3C%22%60|~")).isZero();
    assertThat(asked).hasSize(2).allMatch(one -> one.endsWith(" " + known));
  }

  @Test
  void actors_withATokenThatCannotBe_sayWhatToMend(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "two words");
    assertThat(run("actors", "--token-file")).isEqualTo(2);
    assertThat(run("actors", "--token-file", file.toString())).isEqualTo(2);
    assertThat(run("actors", "--token-file", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(run("actors", "--token-file", file.toString(), "--page", "http://x/#token=abc"))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "--token-file needs a file",
            "it has no token, which is one word",
            "no token from there")
        .doesNotContain("two words");
    assertThat(asked).isEmpty();
  }

  @Test
  void actors_ofAStrangerOnThePort_doesNotSendTheToken() {
    known = "another";
    assertThat(actors()).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("does not prove that it knows this token", "deimos: page at")
        .doesNotContain("abc");
    assertThat(asked).isEmpty();
    assertThat(toldBeforeTheProof).isNotEmpty().noneMatch(told -> told.contains("abc"));
  }

  @Test
  void actors_nobodyThere_saysWhatToDo() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    assertThat(run("actors", "--page", "http://127.0.0.1:" + free)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("no page at http://127.0.0.1:" + free, "deimos: page at");
    assertThat(run("actors", "--page", "nonsense")).isEqualTo(1);
  }

  @Test
  void run_whatIsNoCommand_saysHow() {
    assertThat(run("actor")).isEqualTo(2);
    assertThat(run("actors", "--size", "3")).isEqualTo(2);
    assertThat(run("actors", "--limit")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("there is no command \"actor\"", "--size is no option", "usage:");
  }

  @Test
  void logs_haveTheLatestLast() {
    body =
        """
        {"total":3,"sinceMillis":1000,"leftOut":4,"records":[
         {"atMillis":2000,"level":"error","logger":"shop.Log","text":"failed","thrown":"java.Oops",
          "actorPath":"pekko://shop/user/a","service":null,"traceId":"ab"},
         {"atMillis":1000,"level":"info","logger":"shop.Log","text":"begins","thrown":null,
          "actorPath":null,"service":"web","traceId":null}]}
        """;
    assertThat(ask("logs", "--level", "info")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "1970-01-01T00:00:01Z  info     begins",
            "                                    web shop.Log",
            "1970-01-01T00:00:02Z  error    failed  java.Oops",
            "                                    pekko://shop/user/a trace ab",
            "2 of 3 log records since 1970-01-01T00:00:01Z",
            "4 came too fast to be kept");
    assertThat(asked).containsExactly("/api/v1/logs?limit=20&level=info abc");
  }

  @Test
  void inside_hasTheStateInLines() {
    body =
        """
        {"nowMillis":1,"waiting":false,"notRead":["Timers cannot be read."],
         "state":["Cart","  items = [\\u001b]"],
         "entries":[{"kind":"receive_timeout","name":null,"message":null,"detail":null,
           "nanos":2000000},
          {"kind":"ask","name":"pekko://shop/user/a","message":"Pay","detail":"late","nanos":null}]}
        """;
    assertThat(ask("inside", "pekko://shop/user/b")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "receive_timeout    2.0 ms",
            "ask              pekko://shop/user/a  Pay  late",
            "Cart",
            "  items = [?]",
            "Timers cannot be read.");
    assertThat(asked).containsExactly("/api/v1/inside/pekko%3A%2F%2Fshop%2Fuser%2Fb abc");
  }

  @Test
  void run_helpIsAskedFor_saysHowAndFailsNot() {
    for (String help : new String[] {"--help", "-h", "help"}) {
      assertThat(run(help)).isZero();
      assertThat(said()).contains("-javaagent:deimos.jar", "actors", "profile", "page");
    }
    for (String command :
        new String[] {
          "actors", "trouble", "traces", "trace", "inside", "logs", "compare", "map", "threads",
          "where", "cluster", "nodes", "top", "tap", "profile", "control", "dump", "open", "page"
        }) {
      assertThat(run(command, "--help")).as(command).isZero();
      assertThat(said()).startsWith("usage:").contains("deimos.jar " + command);
      assertThat(run(command, "-h")).as(command).isZero();
    }
    assertThat(run("actors", "--help")).isZero();
    assertThat(said()).contains("--sort", "--page").doesNotContain("--kind");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void run_helpOfACommand_isThatOfTheCommandWithoutColours() {
    assertThat(run("help", "traces")).isZero();
    assertThat(said())
        .startsWith("usage: java -jar deimos.jar traces [QUERY]")
        .contains("--errors", "examples:")
        .doesNotContain("\033");
    assertThat(run("help", "acters")).isEqualTo(2);
    assertThat(run("troubel", "--help")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "there is no command \"acters\"; did you mean actors?",
            "there is no command \"troubel\"; did you mean trouble?");
  }

  @Test
  void run_versionIsAskedFor_saysWhichItIs() {
    assertThat(run("--version")).isZero();
    assertThat(said()).isEqualTo("deimos 1.2.3 (OpenTelemetry agent 4.5.6)\n");
    assertThat(run()).isZero();
    assertThat(said()).startsWith("deimos 1.2.3 (OpenTelemetry agent 4.5.6)\n").contains("usage:");
  }

  /** Every command that asks for a list has --limit, also where the page takes no limit. */
  @Test
  void run_withAllOptions_asksForParametersThatTheInterfaceHas() throws IOException {
    Json paths = Json.readObject(Files.readString(Path.of("../docs/openapi.json"))).at("paths");
    for (String[] command :
        new String[][] {
          {"actors", "--sort", "1", "--class", "1", "--parent", "1"},
          {"trouble", "--kind", "1"},
          {"traces", "1", "--errors", "1"},
          {"trace", "{id}"},
          {"compare", "1", "--errors", "1"},
          {"logs", "--actor", "1", "--trace", "1", "--class", "1", "--level", "1"},
          {"map", "--seconds", "1", "--open", "1"},
          {"threads", "--busy", "1"},
          {"where", "1"},
          {"cluster"},
          {"nodes"},
          {"top"},
          {"tap", "--class", "1", "--to", "1", "--count", "1", "--rate", "1", "--seconds", "1"},
          {"control"}
        }) {
      String[] options = Arrays.copyOfRange(command, 1, command.length);
      ask(command[0], options);
      String[] request = asked.get(asked.size() - 1).split("[ ?]", -1);
      String path = URLDecoder.decode(request[0], StandardCharsets.UTF_8);
      assertThat(paths.fields()).containsKey(path);
      List<String> known =
          paths.at(path).at("get").each("parameters").stream()
              .map(one -> one.text("name"))
              .toList();
      assertThat(request[1].split("&", -1))
          .extracting(pair -> pair.replaceAll("=.*", ""))
          .filteredOn(name -> !List.of("limit", "abc").contains(name))
          .as(path)
          .isSubsetOf(known);
    }
  }

  @Test
  void run_misspelled_namesWhatWasMeant() {
    assertThat(run("troubel")).isEqualTo(2);
    assertThat(run("actors", "--srot", "rate")).isEqualTo(2);
    assertThat(run("quite-another")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "there is no command \"troubel\"; did you mean trouble?",
            "--srot is no option of actors; did you mean --sort?",
            "there is no command \"quite-another\"\n");
  }

  /** The output since this was asked last. */
  private String said() {
    String said = out.toString(StandardCharsets.UTF_8);
    out.reset();
    return said;
  }

  private static final String SETTINGS =
      """
      {"changes":[{"id":"1","preset":"look-closely","key":null,"value":null,"leftMillis":29001,
       "by":"the page"},{"id":"2","preset":null,"key":"deimos.tracing.asks","value":"off\u001b",
       "leftMillis":null,"by":"Ada"}],
       "presets":[{"name":"production","does":"sets limits","refused":null,"settings":[
       {"key":"a","now":"1","then":"2"},{"key":"b","now":"1","then":"1"}]}],
       "history":[{"atMillis":0,"by":"Ada","what":"set x","settings":[
       {"key":"x","from":"1","to":"2"}]}]}
      """;

  @Test
  void control_alone_saysWhatIsChangedAndByWhom() {
    body = SETTINGS;
    assertThat(ask("control")).isZero();
    assertThat(asked).containsExactly("/api/v1/settings abc");
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "Changed now:",
            "  look-closely, for 30 s more, by the page",
            "  deimos.tracing.asks=off?, until it is ended, by Ada",
            "Presets:",
            "  production  sets limits",
            "    a from 1 to 2",
            "Changes, and who made them:",
            "  1970-01-01T00:00:00Z  Ada: set x",
            "    x from 1 to 2");
  }

  @Test
  void control_withAChange_asksForItAndSaysWho() {
    body = SETTINGS;
    assertThat(ask("control", "look-closely", "--for", "30s")).isZero();
    assertThat(ask("control", "deimos.messages.never=a.B=c")).isZero();
    assertThat(ask("control", "end", "look-closely")).isZero();
    assertThat(ask("control", "end", "deimos.tracing.asks", "--json")).isZero();
    assertThat(asked)
        .extracting(line -> line.replaceAll("who=[^& ]+at\\+the\\+command\\+line", "who"))
        .containsExactly(
            "/api/v1/settings?preset=look-closely&for=30s&who abc",
            "/api/v1/settings?key=deimos.messages.never&value=a.B%3Dc&who abc",
            "/api/v1/settings?end=look-closely&who abc",
            "/api/v1/settings?key=deimos.tracing.asks&who abc");
  }

  @Test
  void control_misused_saysHow() {
    for (String[] wrong :
        new String[][] {
          {"a", "b"}, {"end"}, {"end", "a", "b"}, {"--for", "5s"}, {"--for"}, {"--what", "5s"}
        }) {
      assertThat(ask("control", wrong)).as(Arrays.toString(wrong)).isEqualTo(2);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--for belongs to a change");
    assertThat(asked).isEmpty();
  }

  @Test
  void control_refused_saysWhy() {
    status = 403;
    body = "{\"error\":\"a change needs the token\"}";
    assertThat(ask("control", "production")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("a change needs the token");
  }
}
