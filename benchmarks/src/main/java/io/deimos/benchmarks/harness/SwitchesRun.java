// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The cost of each setting for a message: the main shape of {@link PhasesRun}, a mode a setting.
 */
final class SwitchesRun {
  private static final int CORES = 2;

  private final Options options;
  private final PhasesRun phases;

  SwitchesRun(Options options, List<Mode> modes, Deadline deadline) {
    this.options = options;
    this.phases = new PhasesRun(options, modes, deadline);
  }

  /** Runs it: table, last line. */
  void runAndReport() throws IOException {
    phases.measure(CORES, options.forksOr(3, 1), false);
    Map<String, Object> modes = phases.mainShape();
    if (modes.isEmpty()) {
      throw new IllegalStateException("no mode gave a result: " + phases.missing());
    }
    Report report = new Report(options).measuredBy(phases.allForks());
    System.out.print(table(modes, report.clockReadNanos()));
    report.put("modes", modes).put("details", phases.details());
    report.finish(phases.missing(), phases.flags());
  }

  private static String table(Map<String, Object> modes, double clockReadNanos) {
    TextTable table =
        new TextTable(
            "deimos.",
            "send",
            "receive",
            "above none",
            "min",
            "B/msg",
            "base",
            "above base",
            "min",
            "B/msg");
    if (modes.containsKey("none")) {
      table.row(
          "none",
          one(modes, "none", "send_ns"),
          one(modes, "none", "receive_ns"),
          "",
          "",
          one(modes, "none", "bytes_per_msg"),
          "",
          "",
          "",
          "");
    }
    for (Switches.Row row : Switches.ROWS) {
      if (modes.containsKey(row.name())) {
        table.row(
            row.name(),
            one(modes, row.name(), "send_ns"),
            one(modes, row.name(), "receive_ns"),
            above(modes, row.name(), "none", ""),
            above(modes, row.name(), "none", "min_"),
            bytesAbove(modes, row.name(), "none"),
            row.base(),
            above(modes, row.name(), row.base(), ""),
            above(modes, row.name(), row.base(), "min_"),
            bytesAbove(modes, row.name(), row.base()));
      }
    }
    return "\nOne clock read: "
        + number(clockReadNanos, 1)
        + " ns; all in ns/msg, 3,000 messages a round, two cores. Min: of the best rounds.\n\n"
        + table
        + "\n";
  }

  private static String one(Map<String, Object> modes, String mode, String key) {
    return number(Samples.number(Samples.object(modes, mode), key), 1);
  }

  private static String above(Map<String, Object> modes, String mode, String base, String kind) {
    return modes.containsKey(base)
        ? number(
            PhasesRun.both(Samples.object(modes, mode), kind)
                - PhasesRun.both(Samples.object(modes, base), kind),
            1)
        : "";
  }

  private static String bytesAbove(Map<String, Object> modes, String mode, String base) {
    return modes.containsKey(base)
        ? number(
            Samples.number(Samples.object(modes, mode), "bytes_per_msg")
                - Samples.number(Samples.object(modes, base), "bytes_per_msg"),
            1)
        : "";
  }
}
