// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.workload.BusyActor;
import io.deimos.benchmarks.workload.Phases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The effect of a dispatcher's idle workers on each nanosecond that a message takes: the main shape
 * of {@link PhasesRun} with a single worker and with Pekko's default number, for agents and,
 * without one, for actors that take so much longer themselves.
 */
final class WorkersRun {
  private static final int CORES = 2;
  private static final String SIZE = "3000";

  /** Multiplications of an actor without an agent. */
  private static final List<Integer> WORK = List.of(12, 24, 36, 48, 60);

  private static final List<Integer> QUICK_WORK = List.of(24, 48);

  private final Options options;
  private final List<Mode> rows = new ArrayList<>();
  private final Map<String, Object> shapes = new LinkedHashMap<>();

  WorkersRun(Options options, List<Mode> modes) {
    this.options = options;
    rows.addAll(modes);
    modes.stream().filter(mode -> mode.name().equals("none")).findFirst().ifPresent(this::addWork);
  }

  private void addWork(Mode none) {
    for (int work : options.quick() ? QUICK_WORK : WORK) {
      rows.add(none.with("none+" + work, "-Dwork=" + work));
    }
  }

  void runAndReport() throws IOException {
    if (!Forks.canBind()) {
      throw new IllegalStateException("taskset is not there, which binds programs to two cores");
    }
    Deadline deadline = Deadline.of(options);
    Forks forks = new Forks(options, "1g", "512m");
    List<Map<String, Object>> all = new ArrayList<>();
    Map<String, String> missing = new LinkedHashMap<>();
    for (int workers : new int[] {1, 0}) {
      String[] arguments = {
        "--sizes=" + SIZE,
        "--workers=" + workers,
        "--actor=" + BusyActor.class.getName(),
        "--warmup-seconds=" + (options.quick() ? 1.5 : 4),
        "--seconds=" + (options.quick() ? 1.5 : 5)
      };
      Interleaved interleaved = new Interleaved(rows, deadline.next());
      interleaved.run(
          shape(workers),
          options.forksOr(3, 1),
          mode -> forks.run(mode, CORES, Phases.class, arguments));
      missing.putAll(interleaved.missing());
      Map<String, Object> byMode = new LinkedHashMap<>();
      interleaved
          .results()
          .forEach(
              (mode, results) -> {
                all.addAll(results);
                byMode.put(mode, summary(results));
              });
      shapes.put(shape(workers), byMode);
    }
    if (all.isEmpty()) {
      throw new IllegalStateException("no mode gave a result: " + missing);
    }
    Report report = new Report(options).measuredBy(all);
    System.out.print(table(report.clockReadNanos()));
    report.put("shapes", shapes);
    report.finish(missing, forks.flags());
  }

  private static String shape(int workers) {
    return workers == 1 ? "one worker" : "default workers";
  }

  private static Map<String, Object> summary(List<Map<String, Object>> forks) {
    List<Map<String, Object>> sizes = PhasesRun.ofSize(SIZE, forks);
    Map<String, Object> summary = PhasesRun.summary(sizes);
    for (String key : List.of("moves_per_1000_msg", "cpu_ns_per_msg")) {
      summary.put(key, Json.round(Samples.of(sizes, key).median(), 1));
    }
    return summary;
  }

  private String table(double clockReadNanos) {
    TextTable table =
        new TextTable(
            "mode",
            "one worker: send",
            "receive",
            "clock reads added",
            "min",
            "default: send",
            "receive",
            "moves/1,000",
            "CPU");
    Map<String, Object> one = Samples.object(shapes, shape(1));
    Map<String, Object> many = Samples.object(shapes, shape(0));
    for (String mode : one.keySet()) {
      Map<String, Object> single = Samples.object(one, mode);
      Map<String, Object> base = one.containsKey("none") ? Samples.object(one, "none") : single;
      Map<String, Object> usual = many.containsKey(mode) ? Samples.object(many, mode) : Map.of();
      table.row(
          mode,
          number(Samples.number(single, "send_ns"), 1),
          number(Samples.number(single, "receive_ns"), 1),
          number((PhasesRun.both(single, "") - PhasesRun.both(base, "")) / clockReadNanos, 2),
          number(
              (PhasesRun.both(single, "min_") - PhasesRun.both(base, "min_")) / clockReadNanos, 2),
          usual.isEmpty() ? "" : number(Samples.number(usual, "send_ns"), 1),
          usual.isEmpty() ? "" : number(Samples.number(usual, "receive_ns"), 1),
          usual.isEmpty() ? "" : number(Samples.number(usual, "moves_per_1000_msg"), 1),
          usual.isEmpty() ? "" : number(Samples.number(usual, "cpu_ns_per_msg"), 1));
    }
    return "\nOne clock read: "
        + number(clockReadNanos, 1)
        + " ns; all in ns/msg, medians, 3,000 messages a round, two cores. none+N: N multiplications"
        + " in the actor.\n\n"
        + table
        + "\n";
  }
}
