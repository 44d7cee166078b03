// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Prometheus, which reads some pages each second. Needs the Debian package. */
final class Prometheus implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Process process;
  private final Thread killer;
  private final String url;

  private Prometheus(Process process, String url) {
    this.process = process;
    this.url = url;
    killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  static Prometheus reading(List<String> pages) {
    return reading(pages, List.of());
  }

  /** One whose rules look back for half a minute at most, and wait for a second. */
  static Prometheus impatient(List<String> pages) {
    try {
      Path rules = Files.createTempDirectory(Layout.target(), "rules").resolve("rules.yml");
      Files.writeString(
          rules,
          Files.readString(Layout.root().resolve("grafana/rules.yml"))
              .replaceAll("\\[\\d+m\\]", "[30s]")
              .replaceAll("offset \\d+m", "offset 30s")
              .replaceAll("for: \\d+m", "for: 1s"));
      return reading(pages, List.of(), rules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that asks for native histograms, which the rules are not made for. */
  static Prometheus readingNativeHistograms(String page) {
    return reading(List.of(page), List.of("--enable-feature=native-histograms"));
  }

  private static Prometheus reading(List<String> pages, List<String> options) {
    return reading(pages, options, Layout.root().resolve("grafana/rules.yml"));
  }

  private static Prometheus reading(List<String> pages, List<String> options, Path rules) {
    try {
      Path directory = Files.createTempDirectory(Layout.target(), "prometheus");
      Path settings = directory.resolve("prometheus.yml");
      Files.writeString(
          settings,
          """
          global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
          rule_files: ["%s"]
          scrape_configs:
            - job_name: pekko
              static_configs:
                - targets: [%s]
          """
              .formatted(
                  rules,
                  pages.stream()
                      .map(page -> '"' + page.replace("http://", "") + '"')
                      .collect(Collectors.joining(", "))));
      String address = "127.0.0.1:" + Layout.freePort();
      Process process =
          new ProcessBuilder(
                  Stream.concat(
                          Stream.of(
                              "prometheus",
                              "--config.file=" + settings,
                              "--storage.tsdb.path=" + directory.resolve("data"),
                              "--web.listen-address=" + address),
                          options.stream())
                      .toList())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      return new Prometheus(process, "http://" + address);
    } catch (IOException e) {
      throw new UncheckedIOException("apt-get install prometheus", e);
    }
  }

  /** How each rule's last evaluation ended. */
  List<String> rules() {
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(url + "/api/v1/rules")).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return ConfigFactory.parseString(response.body()).getConfigList("data.groups").stream()
          .flatMap(group -> group.getConfigList("rules").stream())
          .map(rule -> rule.getString("health"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The names of alerts that have fired so far. */
  Set<String> fired() {
    try {
      return series("count by (alertname) (count_over_time(ALERTS{alertstate=\"firing\"}[1h]))")
          .stream()
          .map(series -> series.getString("metric.alertname"))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (UncheckedIOException e) {
      return Set.of();
    }
  }

  /** How many series a query has now; -1 while there is no answer. */
  int answers(String query) {
    try {
      return series(query).size();
    } catch (UncheckedIOException e) {
      return -1;
    }
  }

  private List<? extends Config> series(String query) {
    String address =
        url + "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 400) {
        throw new AssertionError(query + ": " + response.body());
      }
      if (response.statusCode() != 200) {
        throw new IOException("still starting: " + response.statusCode());
      }
      return ConfigFactory.parseString(response.body()).getConfigList("data.result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
