// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * The page of an application with very many actors, more classes than the recorder tells apart, and
 * many incidents: all of its interface answers, every actor has its class, and every incident is
 * counted once. {@code integration-tests/large-page} runs it with 1,000,000 actors of 10,000
 * classes and 100,000 incidents, has a browser look at the page, and keeps response times, heap and
 * pictures.
 */
class LargePageTest {
  private static final int ACTORS = Integer.getInteger("deimos.large.actors", 20_000);
  private static final int CLASSES = Integer.getInteger("deimos.large.classes", 5_000);

  /** A multiple of four. */
  private static final int INCIDENTS = Integer.getInteger("deimos.large.incidents", 2_000);

  /** Whether it is the long form, with a browser and a run without the agent. */
  private static final boolean IS_LONG = Boolean.getBoolean("deimos.large.browser");

  private static final int ROUNDS = IS_LONG ? 10 : 1;

  /** So many classes are told apart; a few of these are not of the application's workers. */
  private static final int APART = 4_096;

  /** The search. */
  private static final Pattern SEARCH = Pattern.compile("/api/v1/(actors|map|traces|where)\\b.*");

  /** Searches have a share of the processor, all together. */
  private static final int TOO_OFTEN = 503;

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  /** As the page asks, and as a reader does who looks for one of very many. */
  private static final List<String> ADDRESSES =
      List.of(
          "/",
          "/api/state",
          "/api/history",
          "/api/v1/actors?sort=mailbox&limit=100",
          "/api/v1/actors?sort=rate&limit=100",
          "/api/v1/actors?sort=age&limit=100&offset=900000",
          "/api/v1/actors?q=item-123&limit=100",
          "/api/v1/actors?class=large.Actor00007&limit=100",
          "/api/v1/actors?class=other&limit=100",
          "/api/v1/actors?parent=pekko%3A%2F%2Flarge%2Fuser&limit=100",
          "/api/v1/actors/pekko%3A%2F%2Flarge%2Fuser%2Fslow",
          "/api/v1/map",
          "/api/v1/map?q=slow",
          "/api/v1/trouble",
          "/api/v1/trouble?kind=failure&q=Actor00007",
          "/api/v1/traces",
          "/api/v1/traces?errors=true",
          "/api/v1/traces/groups",
          "/api/v1/where?q=message:Fail",
          "/api/v1/where?q=actor:user%2Fslow",
          "/api/v1/threads",
          "/api/v1/system",
          "/api/v1/dump",
          "/metrics");

  private final Map<String, Object> result = new LinkedHashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void page_ofVeryManyActorsAndIncidents_answersEverything() throws Exception {
    result.put("actors", ACTORS);
    result.put("classes", CLASSES);
    result.put("incidents", INCIDENTS);
    if (IS_LONG) {
      try (AgentJvm jvm = application().start("large-bare")) {
        result.put("withoutAgent", uses(jvm));
      }
    }
    AgentJvm.Builder builder =
        application().agent(Layout.deimos()).property("deimos.page.port", "0");
    List.of("traces", "metrics", "logs")
        .forEach(signal -> builder.property("otel." + signal + ".exporter", "none"));
    if (!IS_LONG) {
      // by default one dead letter or time-out a second is told, and a busy machine may tell of
      // time-outs alone
      builder.property("deimos.forensics.log-per-second", "1000");
    }
    try (AgentJvm jvm = builder.start("large")) {
      RunningPage page = RunningPage.of(jvm);
      result.put("withAgent", uses(jvm));
      Config actors = page.json("/api/v1/actors?limit=1");
      assertThat(actors.getInt("living")).isGreaterThanOrEqualTo(ACTORS);
      Config state =
          page.awaitState(
              "all failures and time-outs",
              s ->
                  s.getLong("totals.failed") == INCIDENTS / 2
                      && s.getConfigList("asks").stream()
                              .mapToLong(ask -> ask.getLong("timeouts"))
                              .sum()
                          == INCIDENTS / 4);
      assertThat(state.getInt("totals.classes")).isGreaterThanOrEqualTo(Math.min(CLASSES, 4_000));
      assertThat(state.getConfigList("failures"))
          .as("of the application's own, and of nobody else's")
          .allMatch(
              failure -> failure.getString("errorType").equals("java.lang.IllegalStateException"));
      assertThat(state.getConfigList("actors")).hasSizeLessThanOrEqualTo(1_000);
      assertThat(state.getLong("totals.deadLetters")).isGreaterThanOrEqualTo(INCIDENTS / 4);
      sameTroubles(page);
      ownClasses(page);
      result.put("troubles", page.json("/api/v1/trouble?limit=1").getConfig("kinds"));
      result.put("deimosMemory", state.getConfig("recorder.memory"));
      result.put("answers", answers(page));
      sameMetrics(page);
      if (IS_LONG) {
        result.put("jdk", System.getProperty("java.vm.version"));
        result.put("firstView", ConfigFactory.parseString(firstView(page.urlWithToken())));
        result.put("browser", browser(page.urlWithToken()));
        result.put("withAgentAtTheEnd", used(jvm));
      }
    }
    Path file = folder().resolve("result.json");
    Files.writeString(file, json(result) + "\n");
  }

  private static AgentJvm.Builder application() {
    return AgentJvm.on(Jdk.own())
        .option("-XX:-UseSerialGC")
        .option("-XX:+UseG1GC")
        .option("-XX:TieredStopAtLevel=4")
        .option(ACTORS > 100_000 ? "-Xmx3g" : "-Xmx512m")
        .runs(
            "large.Main",
            Integer.toString(ACTORS),
            Integer.toString(CLASSES),
            Integer.toString(INCIDENTS));
  }

  /** Its use of memory when all actors are made and all incidents have happened. */
  private static Map<String, Object> uses(AgentJvm jvm) {
    Map<String, Object> uses = new LinkedHashMap<>();
    String made = await(jvm, "@made ");
    await(jvm, "@incidents ");
    uses.put("madeMillis", Long.parseLong(made.substring("@made ".length())));
    uses.putAll(used(jvm));
    return uses;
  }

  private static Map<String, Object> used(AgentJvm jvm) {
    long before = jvm.out().stream().filter(line -> line.startsWith("@uses ")).count();
    jvm.tell("uses");
    new Eventually()
        .await(
            () -> jvm.out().stream().filter(line -> line.startsWith("@uses ")).count() > before,
            PATIENCE,
            () -> "no word of what it uses");
    String[] words =
        jvm.out().stream()
            .filter(line -> line.startsWith("@uses "))
            .reduce((first, last) -> last)
            .orElseThrow()
            .split(" ", -1);
    return Map.of("heapKib", Long.parseLong(words[1]), "agentMillis", Long.parseLong(words[3]));
  }

  private static String await(AgentJvm jvm, String prefix) {
    String[] found = new String[1];
    new Eventually()
        .await(
            () -> {
              found[0] =
                  jvm.out().stream()
                      .filter(line -> line.startsWith(prefix))
                      .findFirst()
                      .orElse(null);
              return found[0] != null || !jvm.isAlive();
            },
            PATIENCE,
            () -> prefix + " did not come");
    assertThat(found[0]).as(prefix + jvm.err()).isNotNull();
    return found[0];
  }

  /**
   * The class of the worker with a number is known, and of the last ones what they are counted as.
   */
  private static void ownClasses(RunningPage page) {
    for (int number : new int[] {0, CLASSES - 1}) {
      String own = String.format(Locale.ROOT, "large.Actor%05d", number);
      Config ofClass = page.json("/api/v1/actors?limit=500&class=" + own);
      assertThat(ofClass.getInt("total"))
          .as(own)
          .isEqualTo((ACTORS - number + CLASSES - 1) / CLASSES);
      assertThat(ofClass.getConfigList("actors"))
          .allMatch(actor -> actor.getString("class").equals(own));
    }
    Config together = page.json("/api/v1/actors?class=other&limit=1").getConfig("other");
    assertThat(together.getInt("classes")).isBetween(CLASSES - APART, CLASSES - APART + 100);
    assertThat(together.getConfigList("most")).hasSize(20);
  }

  /** However many classes have failed, no kind is lost, and no count. */
  private static void sameTroubles(RunningPage page) {
    page.await(
        "/api/v1/trouble?limit=1",
        said ->
            said.hasPath("kinds.dead_letter")
                && said.getInt("kinds.failure") >= INCIDENTS / 2
                && said.getInt("kinds.ask_timeout") >= INCIDENTS / 4);
  }

  /** Each address in turn, so that no answer is one that was kept for the next request. */
  private Map<String, Object> answers(RunningPage page) throws Exception {
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    Map<String, int[]> bytes = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String address : ADDRESSES) {
        long begun = System.nanoTime();
        HttpResponse<byte[]> response =
            client.send(
                HttpRequest.newBuilder(URI.create(page.url() + address))
                    .header("X-Deimos-Token", page.token())
                    .header("Accept-Encoding", "gzip")
                    .timeout(ANSWER)
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        double took = (System.nanoTime() - begun) / 1e6;
        byte[] body = unpacked(response);
        assertThat(response.statusCode())
            .as(address + ": " + new String(body, 0, Math.min(body.length, 1_000), UTF_8))
            .isIn(SEARCH.matcher(address).matches() ? List.of(200, TOO_OFTEN) : List.of(200));
        millis.computeIfAbsent(address, any -> new ArrayList<>()).add(took);
        bytes.put(address, new int[] {response.body().length, body.length});
      }
    }
    Map<String, Object> answers = new LinkedHashMap<>();
    millis.forEach(
        (address, all) -> {
          double[] sorted = all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
          Map<String, Object> answer = new LinkedHashMap<>();
          answer.put("firstMillis", rounded(all.get(0)));
          answer.put("medianMillis", rounded(sorted[sorted.length / 2]));
          answer.put("longestMillis", rounded(sorted[sorted.length - 1]));
          int[] size = bytes.getOrDefault(address, new int[2]);
          answer.put("bytesPacked", size[0]);
          answer.put("bytes", size[1]);
          answers.put(address, answer);
        });
    return answers;
  }

  private static byte[] unpacked(HttpResponse<byte[]> response) throws IOException {
    if (response.headers().firstValue("content-encoding").isEmpty()) {
      return response.body();
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return in.readAllBytes();
    }
  }

  /** A client that takes nothing packed gets all metrics as well, however large they are. */
  private static void sameMetrics(RunningPage page) {
    String text = page.get("/metrics").body();
    assertThat(text.lines().filter(line -> line.startsWith("pekko_actor_count")).count())
        .as("series of one metric")
        .isBetween(1_700L, 2_000L);
    assertThat(text).contains("deimos_metric_series_folded_count").endsWith("\n");
    assertThat(page.json("/api/state").getStringList("problems"))
        .noneMatch(problem -> problem.contains("/metrics"));
  }

  private static double rounded(double millis) {
    return Math.round(millis * 10) / 10.0;
  }

  /** The browser's words, as it says them. */
  private static Config browser(String url) throws IOException, InterruptedException {
    Browser.looks("large.mjs", url, folder().toString());
    return ConfigFactory.parseFile(folder().resolve("browser.json").toFile());
  }

  private static String firstView(String url) throws IOException, InterruptedException {
    return Browser.looks("first-view.mjs", url, Integer.toString(ROUNDS));
  }

  private static Path folder() throws IOException {
    return Files.createDirectories(Layout.target().resolve("large-page"));
  }

  private static String json(Object value) {
    if (value instanceof Config config) {
      return config.root().render(ConfigRenderOptions.concise().setFormatted(true));
    }
    if (value instanceof Map<?, ?> map) {
      List<String> fields = new ArrayList<>();
      map.forEach((name, one) -> fields.add("\"" + name + "\": " + json(one)));
      return "{" + String.join(",\n", fields) + "}";
    }
    if (value instanceof String text) {
      return '"' + text + '"';
    }
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.1f", number)
        : String.valueOf(value);
  }
}
