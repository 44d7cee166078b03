// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One answer of {@code /metrics}, in Prometheus' text format. */
public record Scrape(String text, long nanos) {
  /**
   * Collected after this call: the page answers with what it has for a second, and says how old
   * that is. A client that says nothing collects for each request.
   */
  public static Scrape of(RunningPage page) {
    long asked = System.nanoTime();
    Scrape[] last = new Scrape[1];
    Eventually.await(
        () -> {
          long begun = System.nanoTime();
          HttpResponse<String> response = page.get("/metrics");
          long nanos = System.nanoTime() - begun;
          assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
          last[0] = new Scrape(response.body(), nanos);
          long age = response.headers().firstValueAsLong("X-Deimos-Age-Millis").orElse(0);
          return age == 0 || age * 1_000_000 < System.nanoTime() - asked - nanos;
        },
        () -> "the page answers with old metrics");
    return last[0];
  }

  public long bytes() {
    return text.length();
  }

  /** Values by name and labels, as they stand there. */
  public Map<String, Double> series(String name) {
    Map<String, Double> values = new LinkedHashMap<>();
    text.lines()
        .filter(l -> l.startsWith(name + "{") || l.startsWith(name + " "))
        .forEach(
            l -> {
              int end = l.startsWith(name + "{") ? l.lastIndexOf('}') + 1 : name.length();
              String rest = l.substring(end).strip();
              values.put(l.substring(0, end), Double.parseDouble(rest.split(" ", 2)[0]));
            });
    return values;
  }

  public boolean has(String name, String within) {
    return series(name).keySet().stream().anyMatch(l -> l.contains(within));
  }

  /** The sum over all series whose labels contain a text. */
  public double value(String name, String within) {
    assertThat(text).contains(name);
    return series(name).entrySet().stream()
        .filter(e -> e.getKey().contains(within))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** The same, with what is folded. */
  public double sum(String name, String within) {
    return value(name, within) + value(name, "pekko_actor_class=\"other\"");
  }

  /** How many series there are of each metric, a histogram's buckets left out. */
  public Map<String, Integer> seriesByMetric() {
    Map<String, Integer> counts = new TreeMap<>();
    text.lines()
        .filter(l -> !l.startsWith("#") && !l.contains("_bucket{"))
        .forEach(l -> counts.merge(l.split("[{ ]", 2)[0], 1, Integer::sum));
    return counts;
  }

  public Set<String> names() {
    return text.lines()
        .filter(l -> !l.startsWith("#"))
        .map(l -> l.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(HashSet::new));
  }

  @Override
  public String toString() {
    return seriesByMetric().values().stream().mapToInt(n -> n).sum()
        + " series without buckets, "
        + bytes()
        + " bytes, scraped in "
        + nanos / 1_000_000
        + " ms";
  }
}
