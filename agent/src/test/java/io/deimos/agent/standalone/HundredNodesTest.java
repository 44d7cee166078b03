// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.store.StoreLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * One page process, a JVM of its own, and many nodes with real links and made-up actors in this
 * one. The short form has 20 nodes for a few seconds; {@code integration-tests/hundred-nodes} has
 * 100 at 200,000 spans a second, with the page from the built jar, and keeps what it measured.
 */
class HundredNodesTest {
  private static final int NODES = Integer.getInteger("hundred.nodes", 20);
  private static final long SPANS_PER_SECOND = Long.getLong("hundred.spans-per-second", 20_000);
  private static final int SECONDS = Integer.getInteger("hundred.seconds", 0);
  private static final String JAR = System.getProperty("hundred.jar", "");
  private static final String SAVE = System.getProperty("hundred.save", "");
  private static final String HEAP = System.getProperty("hundred.heap", "256m");
  private static final int FEEDERS = 2;
  private static final int FEW = 4;

  /** Each of four kilobytes: twice what a page takes. */
  private static final long LARGE_SPANS_PER_SECOND = 4_000;

  private static final long PATIENCE_NANOS = 120_000_000_000L;
  private static final int CLOCK_TICKS = 100;

  /** Until the first traces are judged, and what does not fit waits. */
  private static final int WARM_SECONDS = 15;

  private final HttpClient client = HttpClient.newHttpClient();
  private int port;

  /** Starts a page in a JVM that has no jar. */
  public static final class Page {
    private Page() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.exit(PageProcess.run(arguments));
    }
  }

  @Test
  void page_ofManyNodes_staysWithinItsBoundsAndSaysWhatWasLeftOut() throws Exception {
    port = freePort();
    Process page = start();
    List<MadeUpNode> nodes = new ArrayList<>();
    List<MadeUpTraffic> feeders = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        nodes.add(new MadeUpNode(i, port));
      }
      await(() -> nodes.stream().allMatch(MadeUpNode::hasJoined));
      await(() -> count(nodesSaid(), "\"state\":\"joined\"") == NODES);
      for (int i = 0; i < FEEDERS; i++) {
        List<MadeUpNode> own = nodes.subList(i * NODES / FEEDERS, (i + 1) * NODES / FEEDERS);
        feeders.add(new MadeUpTraffic(own, SPANS_PER_SECOND / FEEDERS, 7 + i));
      }
      feeders.forEach(Thread::start);
      String measured = SECONDS == 0 ? "" : measure(page, nodes);
      await(
          () -> numbers(nodesSaid(), "spansReceived").stream().filter(n -> n > 0).count() == NODES);
      for (MadeUpTraffic feeder : feeders) {
        feeder.end();
      }

      for (MadeUpNode node : nodes) {
        assertThat(node.accountedFor()).as(node.id()).isEqualTo(node.offered());
      }
      await(() -> sum(numbers(nodesSaid(), "spansNotSent")) == notSent(nodes));
      String said = nodesSaid();
      assertThat(count(said, "\"state\":\"joined\"")).isEqualTo(NODES);
      assertThat(get("/api/v1/trouble")).contains("made.Up").doesNotContain("has left the page");
      String state = get("/api/state");
      if (!measured.isEmpty()) {
        keep(measured + totals(nodes, said, state));
      }
    } finally {
      for (MadeUpTraffic feeder : feeders) {
        feeder.end();
      }
      nodes.forEach(MadeUpNode::close);
      page.destroyForcibly().waitFor();
    }
  }

  /**
   * Large spans, of which the nodes keep more than they may send. Whole traces with an error are
   * sent before all others; what had to go instead is counted, on both sides and wherever the page
   * is asked for it.
   */
  @Test
  void page_thatCannotTakeAll_getsWhatWentWrongAndCountsWhatItDoesNot() throws Exception {
    port = freePort();
    Process page = start();
    List<MadeUpNode> nodes = new ArrayList<>();
    MadeUpTraffic feeder = null;
    try {
      for (int i = 0; i < FEW; i++) {
        nodes.add(new MadeUpNode(i, port, StoreLimits.of(10_000, 20_000)));
      }
      await(() -> count(nodesSaid(), "\"state\":\"joined\"") == FEW);
      feeder = new MadeUpTraffic(nodes, LARGE_SPANS_PER_SECOND, 7, "x".repeat(4_000));
      feeder.start();
      MadeUpTraffic feeding = feeder;
      await(
          () ->
              feeding.failed() >= 10
                  && nodes.stream().allMatch(node -> node.store().spansNotSent() > 0));
      feeder.end();

      await(() -> received() == sent(nodes));
      await(() -> sum(numbers(nodesSaid(), "spansNotSent")) == notSent(nodes));
      for (MadeUpNode node : nodes) {
        assertThat(node.accountedFor()).as(node.id()).isEqualTo(node.offered());
        assertThat(sent(List.of(node)) + node.store().spansNotSent())
            .as("what was kept long enough to be sent, of what was made")
            .isLessThanOrEqualTo(node.offered());
      }
      String failed = get("/api/v1/traces?errors=true&limit=500");
      assertThat(count(failed, "\"traceId\"")).isEqualTo(feeder.failed());
      assertThat(count(nodesSaid(), "\"state\":\"joined\"")).isEqualTo(FEW);
      assertThat(command("nodes")).contains(" NOT SENT");
      assertThat(page.isAlive()).isTrue();
    } finally {
      if (feeder != null) {
        feeder.end();
      }
      nodes.forEach(MadeUpNode::close);
      page.destroyForcibly().waitFor();
    }
  }

  private long received() throws Exception {
    return sum(numbers(nodesSaid(), "spansReceived"));
  }

  private static long sent(List<MadeUpNode> nodes) {
    return nodes.stream().mapToLong(node -> node.store().spansSent()).sum();
  }

  /** The output of a command on this page, in a JVM of its own. */
  private String command(String name) throws Exception {
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.deimos.launch.Main",
                name,
                "--page",
                "http://127.0.0.1:" + port)
            .redirectErrorStream(true)
            .start();
    String said = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(command.waitFor()).as(said).isZero();
    return said;
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + HEAP);
    if (JAR.isEmpty()) {
      String path = System.getProperty("java.class.path");
      command.add("-cp");
      command.add(System.getProperty("surefire.test.class.path", path));
      command.add("-Ddeimos.page.port=" + port);
      command.add(Page.class.getName());
      command.addAll(List.of("", "127.0.0.1", "0", "0"));
    } else {
      command.addAll(
          List.of(
              "-jar",
              JAR,
              "page",
              "--port",
              Integer.toString(port),
              "--otlp-port",
              "0",
              "--grpc-port",
              "0"));
    }
    Process page =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(page.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    while (line != null && !line.startsWith("Takes OTLP over HTTP at ")) {
      line = lines.readLine();
    }
    assertThat(line).as("the page's start").isNotNull();
    return page;
  }

  /** CPU, memory and what goes through, while nobody looks and then while somebody does. */
  private String measure(Process page, List<MadeUpNode> nodes) throws Exception {
    TimeUnit.SECONDS.sleep(WARM_SECONDS);
    long offered = offered(nodes);
    long received = sum(numbers(nodesSaid(), "spansReceived"));
    double alone = cpuSeconds(page);
    double own = cpuSeconds(ProcessHandle.current().pid());
    long began = System.nanoTime();
    long mostResident = 0;
    for (int i = 0; i < SECONDS; i++) {
      TimeUnit.SECONDS.sleep(1);
      mostResident = Math.max(mostResident, residentKiB(page));
    }
    double took = (System.nanoTime() - began) / 1e9;
    double cpu = (cpuSeconds(page) - alone) / took;
    double ownCpu = (cpuSeconds(ProcessHandle.current().pid()) - own) / took;
    long offeredThen = offered(nodes) - offered;
    long receivedThen = sum(numbers(nodesSaid(), "spansReceived")) - received;

    double watched = cpuSeconds(page);
    long watchedFrom = System.nanoTime();
    int answers = 0;
    for (int i = 0; i < SECONDS / 4; i++) {
      for (String path : List.of("/api/v1/nodes", "/api/state", "/api/traces", "/api/v1/trouble")) {
        assertThat(get(path)).isNotEmpty();
        answers++;
      }
      for (int k = 0; k < 8; k++) {
        String id = nodes.get((i * 8 + k) % nodes.size()).id();
        assertThat(status("/nodes/" + id + "/api/state")).isEqualTo(200);
        answers++;
      }
      TimeUnit.SECONDS.sleep(1);
    }
    double watchedTook = (System.nanoTime() - watchedFrom) / 1e9;
    return String.format(
        Locale.ROOT,
        """
        {
        "machine": "%s",
        "jdk": "%s",
        "page": "%s, -Xmx%s",
        "nodes": %d,
        "spans_per_second_wanted": %d,
        "spans_per_second": %.0f,
        "spans_per_second_received": %.0f,
        "seconds": %.1f,
        "page_cpu_of_a_core": %.3f,
        "page_cpu_of_a_core_while_looked_at": %.3f,
        "answers_per_second_while_looked_at": %.1f,
        "all_nodes_cpu_of_a_core": %.3f,
        "page_resident_mib_most": %d,
        "page_threads": %d,
        """,
        machine(),
        Runtime.version(),
        JAR.isEmpty() ? "class path" : "deimos.jar",
        HEAP,
        nodes.size(),
        SPANS_PER_SECOND,
        offeredThen / took,
        receivedThen / took,
        took,
        cpu,
        (cpuSeconds(page) - watched) / watchedTook,
        answers / watchedTook,
        ownCpu,
        Math.max(mostResident, residentKiB(page)) >> 10,
        number(Files.readString(proc(page).resolve("status")), "Threads:\\s+(\\d+)"));
  }

  private String totals(List<MadeUpNode> nodes, String said, String state) {
    return String.format(
        Locale.ROOT,
        """
        "spans_offered": %d,
        "turned_away_by_nodes": %d,
        "let_go_by_nodes": %d,
        "put_out_by_nodes": %d,
        "kept_by_nodes_now": %d,
        "received_by_page": %d,
        "not_sent_as_the_page_shows": %d,
        "page_heap_used_mib": %d,
        "page_spans_kept": %d,
        "page_traces_evicted": %d
        }
        """,
        offered(nodes),
        nodes.stream().mapToLong(n -> n.counts().turnedAway().spans()).sum(),
        nodes.stream().mapToLong(n -> n.counts().letGo().spans()).sum(),
        nodes.stream()
            .mapToLong(n -> n.counts().evicted().spans() + n.counts().thinned().spans())
            .sum(),
        nodes.stream().mapToLong(n -> n.counts().kept().spans()).sum(),
        sum(numbers(said, "spansReceived")),
        sum(numbers(said, "spansNotSent")),
        numbers(said, "heapUsedBytes").get(0) >> 20,
        numbers(state, "spansKept").get(0),
        numbers(state, "tracesEvicted").get(0));
  }

  private static void keep(String json) throws IOException {
    System.out.println(json);
    if (!SAVE.isEmpty()) {
      Files.writeString(Path.of(SAVE), json);
    }
  }

  private static String machine() throws IOException {
    String cpu =
        Pattern.compile("model name\\s*:\\s*(.*)")
            .matcher(Files.readString(Path.of("/proc/cpuinfo")))
            .results()
            .map(found -> found.group(1))
            .findFirst()
            .orElse("unknown");
    return cpu + ", " + Runtime.getRuntime().availableProcessors() + " cores";
  }

  private static Path proc(Process page) {
    return Path.of("/proc", Long.toString(page.pid()));
  }

  private static double cpuSeconds(Process page) throws IOException {
    return cpuSeconds(page.pid());
  }

  /** In the user's and the system's code. */
  private static double cpuSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) CLOCK_TICKS;
  }

  private static long residentKiB(Process page) throws IOException {
    return number(Files.readString(proc(page).resolve("status")), "VmRSS:\\s+(\\d+)");
  }

  private static long number(String in, String pattern) {
    return Pattern.compile(pattern)
        .matcher(in)
        .results()
        .map(found -> Long.parseLong(found.group(1)))
        .findFirst()
        .orElseThrow();
  }

  private static long offered(List<MadeUpNode> nodes) {
    return nodes.stream().mapToLong(MadeUpNode::offered).sum();
  }

  private static long notSent(List<MadeUpNode> nodes) {
    return nodes.stream().mapToLong(node -> node.store().spansNotSent()).sum();
  }

  private String nodesSaid() throws Exception {
    return get("/api/v1/nodes");
  }

  private static long count(String in, String what) {
    return Pattern.compile(Pattern.quote(what)).matcher(in).results().count();
  }

  private static List<Long> numbers(String json, String name) {
    return Pattern.compile('"' + name + "\":(\\d+)")
        .matcher(json)
        .results()
        .map(MatchResult::group)
        .map(found -> Long.parseLong(found.substring(found.indexOf(':') + 1)))
        .toList();
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).sum();
  }

  private String get(String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private int status(String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Accept-Encoding", "gzip")
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!Objects.requireNonNull(condition.call())) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(100_000_000);
    }
  }
}
