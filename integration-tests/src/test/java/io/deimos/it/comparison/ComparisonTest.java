// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Peers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The table in {@code docs/comparison.md}: what Deimos, the OpenTelemetry agent alone and Kamon
 * make of the same rows. With {@code -Ddeimos.compare.write=true}, as {@code
 * integration-tests/compare} has it, all three are run and the table is written; else Deimos alone,
 * whose column must be no worse than it says there.
 */
class ComparisonTest {
  private static final Path DOCS = Layout.root().resolve("docs/comparison.md");
  private static final boolean WRITE = Boolean.getBoolean("deimos.compare.write");

  @Test
  void rows_underDeimos_areWhatTheTableSays() throws IOException {
    Map<String, Map<String, Verdict>> columns = new LinkedHashMap<>();
    Map<String, Verdict> deimos =
        Comparison.run("deimos", (n, path) -> n.deimos().property("scenarios.tool", "otel"));
    columns.put("Deimos", deimos);
    if (WRITE) {
      columns.put("OpenTelemetry agent", Comparison.run("otel", (n, path) -> Peers.otel(n)));
      columns.put("Kamon", Comparison.run("kamon", Peers::kamon));
      Files.writeString(DOCS, page(columns));
    }
    List<String> table = Files.readAllLines(DOCS);
    labels()
        .forEach(
            (row, label) ->
                assertThat(table)
                    .as("%s is now %s", row, deimos.get(row))
                    .anyMatch(l -> isAsGood(l, label, deimos.get(row))));
  }

  /** Whether a line is the label's and says what is found, or what is found is right anyway. */
  private static boolean isAsGood(String line, String label, @Nullable Verdict found) {
    return found != null
        && (found.isRight()
            ? line.equals("- " + label) || line.startsWith("| " + label + " | ")
            : line.startsWith("| " + label + " | " + found + " |"));
  }

  private static Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>(Comparison.LOCAL);
    labels.putAll(Comparison.WIRE);
    return labels;
  }

  private static String page(Map<String, Map<String, Verdict>> columns) {
    StringBuilder page = new StringBuilder(INTRODUCTION.formatted(versions()));
    StringBuilder keptByAll = new StringBuilder();
    page.append("\n| ").append(String.join(" | ", columns.keySet()).replaceFirst("^", "row | "));
    page.append(" |\n|---").append("|---".repeat(columns.size())).append("|\n");
    labels()
        .forEach(
            (row, label) -> {
              List<String> found =
                  columns.values().stream().map(c -> String.valueOf(c.get(row))).toList();
              if (found.stream().allMatch("kept"::equals)) {
                keptByAll.append("- ").append(label).append('\n');
              } else {
                page.append("| ").append(label).append(" | ").append(String.join(" | ", found));
                page.append(" |\n");
              }
            });
    page.append("| **of ").append(labels().size()).append(" rows right**");
    columns
        .values()
        .forEach(
            c -> page.append(" | ").append(c.values().stream().filter(Verdict::isRight).count()));
    return page.append(" |\n\nKept by all three:\n\n").append(keptByAll).toString();
  }

  private static final String INTRODUCTION =
      """
      # What is kept, lost and leaked

      Written by `integration-tests/compare`; do not edit. %s.

      Each row is a small program, the same for all three tools, which run as their manuals say. It begins in a span made by the tool's own API, as a
      request from outside would, and its handlers ask that API which trace they are in. No exporter takes part. Between nodes both have the same
      tool. The programs are in `integration-tests/src/test/java/scenarios` and `wire`, the tools' settings in `Peers.java` of the same module.

      - **kept**: every handler was in the trace of its request.
      - **apart**: no handler was in a foreign trace. This is right for ticks and for messages that come from outside later.
      - **lost**: a handler was in no trace, or in one of no request.
      - **leaked**: a handler was in a foreign trace, one in which it does not belong.
      - **failed**: the program did not run to its end, for the reason that follows.
      """;

  private static String versions() {
    Path agents = Layout.target().resolve("agents");
    return "Deimos "
        + commit()
        + ", OpenTelemetry Java agent "
        + version(agents.resolve("opentelemetry-javaagent.jar"))
        + ", Kamon "
        + version(agents.resolve("kamon/kamon-bundle_2.13.jar"))
        + " with Kanela "
        + System.getProperty("deimos.it.kanela", "of an unknown version")
        + ", Pekko "
        + org.apache.pekko.actor.ActorSystem.Version()
        + ", JDK "
        + Runtime.version().feature()
        + ", "
        + LocalDate.now(ZoneOffset.UTC);
  }

  private static String version(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return String.valueOf(
          file.getManifest().getMainAttributes().getValue("Implementation-Version"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String commit() {
    try {
      Process git =
          new ProcessBuilder("git", "-C", Layout.root().toString(), "rev-parse", "--short", "HEAD")
              .start();
      return new String(
              git.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
          .trim();
    } catch (IOException e) {
      return "of an unknown commit";
    }
  }
}
