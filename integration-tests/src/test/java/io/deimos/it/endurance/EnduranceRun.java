// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One run of the application of the package {@code endurance}, and whether it is flat.
 *
 * <p><b>Flat</b> is by the Theil-Sen slope of the samples since the run was warm: the median of the
 * slopes of all pairs of samples, which single peaks do not move. The slope times the time since
 * then, which is what was gained, must not be more than the figure's allowance, and not more than
 * that above what the run without the agent gained.
 *
 * <p><b>Equal</b> is by the median of the last third of the samples: no more than a figure's bound
 * above that of the run without the agent.
 *
 * @param warm samples before this second are not looked at
 */
record EnduranceRun(String name, int warm, int exit, List<Sample> samples, String loads) {
  private static final double MIB = 1 << 20;

  /** A run that warms up for so long is one of an hour, or so. */
  static final int LONG_WARM_SECONDS = 600;

  /** The measurements at one moment. */
  record Sample(
      int second, double heap, double threads, double files, double resident, double cpu) {
    static Sample of(String line) {
      return new Sample(
          (int) field(line, "second"),
          field(line, "heap") / MIB,
          field(line, "threads"),
          field(line, "files"),
          field(line, "resident") / MIB,
          field(line, "agent-cpu-millis"));
    }

    private static double field(String line, String key) {
      return Double.parseDouble(line.replaceFirst(".* " + key + "=(\\d+).*", "$1"));
    }
  }

  /**
   * The subjects of the judgement.
   *
   * @param gain the most that may be gained once the run is warm
   * @param shortGain the same in a run of minutes, of which a part is still the warming up
   * @param metrics the most above the run without the agent, with metrics only
   * @param everything the same with everything on: rings, backlog, held traces and the page's store
   *     are full then
   */
  record Figure(
      String name,
      String said,
      ToDoubleFunction<Sample> of,
      double gain,
      double shortGain,
      double metrics,
      double everything) {}

  static final List<Figure> FIGURES =
      List.of(
          // With everything on also what the settings allow: rings 16 (a sixteenth of this heap),
          // backlog 16, held traces 9, the observer 16, the page's 20,000 spans 60.
          new Figure("heap", "heap after collection, MiB", Sample::heap, 8, 20, 32, 149),
          new Figure("threads", "threads", Sample::threads, 3, 12, 24, 48),
          new Figure("files", "open files", Sample::files, 3, 64, 24, 48),
          new Figure("resident", "resident memory, MiB", Sample::resident, 48, 96, 160, 320));

  static EnduranceRun of(String name, int warm, int exit, List<String> lines) {
    return new EnduranceRun(
        name,
        warm,
        exit,
        lines.stream().filter(l -> l.startsWith("@sample ")).map(Sample::of).toList(),
        lines.stream()
            .filter(l -> l.startsWith("@loads"))
            .findFirst()
            .orElse("@loads none: it did not come to its end"));
  }

  static EnduranceRun require(Map<String, EnduranceRun> runs, String name) {
    return Objects.requireNonNull(runs.get(name), name);
  }

  /** The faults of this run; empty if nothing is. */
  List<String> judge(EnduranceRun without) {
    List<String> faults = new ArrayList<>();
    if (exit != 0) {
      faults.add(name + ": exit code " + exit + " after " + samples.size() + " samples");
    }
    if (warmed().size() < 5) {
      faults.add(name + ": too few samples to judge");
      return faults;
    }
    for (Figure figure : FIGURES) {
      double gained = gained(figure);
      double allowed = warm < LONG_WARM_SECONDS ? figure.shortGain : figure.gain;
      if (gained > allowed + Math.max(0, without.gained(figure))) {
        faults.add(text("%s: %s grew by %.1f after second %d", name, figure.said, gained, warm));
      }
      double more = atEnd(figure) - without.reference(figure);
      double bound = name.equals("metrics") ? figure.metrics : figure.everything;
      if (more > bound) {
        faults.add(
            text(
                "%s: %s is %.1f above the run without the agent, of %.0f allowed",
                name, figure.said, more, bound));
      }
    }
    return faults;
  }

  private List<Sample> warmed() {
    return samples.stream().filter(s -> s.second() >= warm).toList();
  }

  /** By how much it grew since it was warm, by the Theil-Sen slope. */
  double gained(Figure figure) {
    List<Sample> warmed = warmed();
    List<Double> slopes = new ArrayList<>();
    for (int i = 0; i < warmed.size(); i++) {
      for (int j = i + 1; j < warmed.size(); j++) {
        slopes.add(
            (figure.of.applyAsDouble(warmed.get(j)) - figure.of.applyAsDouble(warmed.get(i)))
                / (warmed.get(j).second() - warmed.get(i).second()));
      }
    }
    int time = warmed.isEmpty() ? 0 : warmed.get(warmed.size() - 1).second() - warm;
    return median(slopes.stream().mapToDouble(d -> d).toArray()) * time;
  }

  double atEnd(Figure figure) {
    return median(
        samples.subList(samples.size() - samples.size() / 3, samples.size()).stream()
            .mapToDouble(figure.of)
            .toArray());
  }

  /**
   * The others are compared with this. Pools end threads that were idle for long, in one JVM sooner
   * than in another: in a run of minutes, the most threads that it had.
   */
  private double reference(Figure figure) {
    return warm < LONG_WARM_SECONDS && figure.name.equals("threads")
        ? samples.stream().mapToDouble(figure.of).max().orElse(0)
        : atEnd(figure);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values.length == 0 ? 0 : values[values.length / 2];
  }

  private double agentCpuShare() {
    List<Sample> warmed = warmed();
    if (warmed.size() < 2) {
      return 0;
    }
    Sample first = warmed.get(0);
    Sample last = warmed.get(warmed.size() - 1);
    return (last.cpu() - first.cpu()) / 1000 / Math.max(1, last.second() - first.second());
  }

  String summary() {
    return name
        + ": "
        + FIGURES.stream()
            .map(f -> text("%s %.1f (gained %.1f)", f.said, atEnd(f), gained(f)))
            .collect(Collectors.joining(", "))
        + text(", agent's threads %.3f cores; %s", agentCpuShare(), loads);
  }

  static String json(
      int seconds,
      int warm,
      Collection<EnduranceRun> runs,
      Collection<String> faults,
      String page) {
    return text(
        "{\n  \"seconds\": %d,\n  \"warm_after\": %d,\n  \"verdict\": [%s],\n  \"page\": \"%s\",\n  \"runs\": [\n%s\n  ]\n}\n",
        seconds,
        warm,
        faults.stream().map(f -> "\"" + f + "\"").collect(Collectors.joining(", ")),
        page,
        runs.stream().map(EnduranceRun::json).collect(Collectors.joining(",\n")));
  }

  private String json() {
    String figures =
        FIGURES.stream()
            .map(
                f ->
                    text(
                        "\"%s\": {\"end\": %.1f, \"gained\": %.1f}", f.name(), atEnd(f), gained(f)))
            .collect(Collectors.joining(", "));
    String all =
        samples.stream()
            .map(
                s ->
                    text(
                        "[%d, %.1f, %.0f, %.0f, %.0f, %.0f]",
                        s.second(), s.heap(), s.threads(), s.files(), s.resident(), s.cpu()))
            .collect(Collectors.joining(", "));
    return text(
        "    {\"name\": \"%s\", \"exit\": %d, %s, \"agent_cores\": %.3f, \"loads\": \"%s\",\n"
            + "     \"samples\": [%s]}",
        name, exit, figures, agentCpuShare(), loads, all);
  }

  private static String text(String format, Object... with) {
    return String.format(Locale.ROOT, format, with);
  }
}
