// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.TELEMETRY_SERIES;
import static io.deimos.agent.settings.CheckKeys.TELEMETRY_SPANS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds telemetry for which there is no room: spans that are dropped again and again, and series
 * that are counted together. A single burst of lost spans is none.
 */
final class TelemetryCosts implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LEAST_RISES = 3;

  private static final About ABOUT =
      About.of(
          "telemetry-costs",
          "Spans are dropped again and again, or many series are counted as other.",
          "Record less, or give it more room, by the setting that the finding names.",
          TELEMETRY_SPANS,
          TELEMETRY_SERIES);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Telemetry telemetry : evidence.all(Telemetry.class)) {
      lost(
          telemetry.ringFull(),
          "a ring was full",
          "Sample less (deimos.sampling.max-traces-per-second), or raise"
              + " deimos.tracing.ring-capacity.",
          evidence,
          found);
      lost(
          telemetry.noMemory(),
          "all rings together were at their bound",
          "Sample less (deimos.sampling.max-traces-per-second), or give the JVM more heap, of"
              + " which rings take a sixteenth.",
          evidence,
          found);
      Map<String, Integer> many = new TreeMap<>(telemetry.folded());
      many.values().removeIf(series -> series < evidence.get(TELEMETRY_SERIES));
      if (!many.isEmpty()) {
        found.accept(folded(many));
      }
    }
  }

  private static void lost(
      Series spans, String why, String advice, Evidence evidence, Consumer<Finding> found) {
    Series minute = spans.last(WINDOW);
    if (minute.growth() >= evidence.get(TELEMETRY_SPANS) && minute.rises() >= LEAST_RISES) {
      found.accept(
          new Finding(
              ABOUT.id(),
              Finding.Severity.WARNING,
              Finding.Sure.CERTAIN,
              Where.HERE,
              spans.risingSince(WINDOW),
              new Finding.Words(
                  Figures.of(minute.growth(), "span")
                      + (minute.growth() == 1 ? " was" : " were")
                      + " dropped in the last minute, since "
                      + why
                      + ".",
                  "Traces have holes, and single actors' figures leave messages out.",
                  advice),
              Links.SYSTEM));
    }
  }

  private static Finding folded(Map<String, Integer> many) {
    StringBuilder families = new StringBuilder();
    many.forEach(
        (family, series) ->
            families
                .append(families.isEmpty() ? "" : ", ")
                .append(Figures.count(series))
                .append(" of ")
                .append(family));
    return new Finding(
        ABOUT.id(),
        Finding.Severity.ADVICE,
        Finding.Sure.CERTAIN,
        Where.HERE,
        null,
        new Finding.Words(
            "Series are counted as other, since there is no room to tell them apart: "
                + families
                + ".",
            "Metrics of these classes and messages cannot be told apart.",
            "Leave out what nobody looks at (deimos.actor-classes.never, deimos.messages.never),"
                + " or raise deimos.metrics.max-series."),
        Links.SYSTEM);
  }
}
