// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static io.deimos.benchmarks.harness.TextTable.number;

import io.deimos.benchmarks.json.Json;
import io.deimos.benchmarks.peers.SdkLoad;
import io.deimos.benchmarks.workload.ActorLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Spans delivered to a local OTLP receiver, and lost on the way, at rising load.
 *
 * <p>A step produces spans at one rate for some seconds and then waits until no more arrive. Its
 * rate is what arrived, divided by the time from the first span made to the last one received: a
 * backlog that drains afterwards counts as time. The lossless rate is the best rate of a step that
 * lost nothing.
 */
final class ExportRun {
  private static final long[] QUICK_RATES = {50_000, 200_000, 500_000, 1_000_000, 0};
  private static final long[] RATES = {
    25_000, 50_000, 100_000, 200_000, 400_000, 600_000, 800_000, 1_000_000, 1_250_000, 1_500_000,
    2_000_000, 0
  };
  private static final int STEP_TIMEOUT_SECONDS = 180;
  private static final int POLL_MILLIS = 20;

  private final Options options;
  private final Forks forks;
  private final double seconds;
  private final int quietMillis;
  private final Map<String, List<Double>> lossless = new LinkedHashMap<>();
  private final Map<String, Object> steps = new LinkedHashMap<>();
  private final Map<String, String> missing = new LinkedHashMap<>();
  private final List<Map<String, Object>> described = new ArrayList<>();
  private final TextTable table =
      new TextTable(
          "subject",
          "offered/s",
          "produced",
          "made/s",
          "delivered",
          "lost",
          "end to end/s",
          "B/span",
          "receiver CPU ns/span");

  ExportRun(Options options) {
    this.options = options;
    forks = new Forks(options, "3g", "2g");
    seconds = options.quick() ? 2 : 5;
    quietMillis = options.quick() ? 1_500 : 3_000;
  }

  void runAndReport() throws IOException, InterruptedException, ForkFailedException {
    try (Receiver receiver = Receiver.start(options)) {
      int passes = options.forksOr(3, 1);
      for (int pass = 0; pass < passes; pass++) {
        for (Mode mode : subjects(receiver.endpoint())) {
          subject(mode, receiver);
        }
      }
    }
    System.out.println("\n" + table);
    if (described.isEmpty()) {
      throw new IllegalStateException("no subject gave a result: " + missing);
    }
    Report report = new Report(options).measuredBy(described);
    lossless.forEach((name, rates) -> report.put(name, losslessRate(rates)));
    report.put("steps", steps);
    report.finish(missing, forks.flags());
  }

  private List<Mode> subjects(String endpoint) {
    Modes modes = new Modes(options.home(), options.agent());
    return List.of(
        Modes.exporting(options.agent(), endpoint),
        modes.sdkExporting("sdk", endpoint),
        modes.sdkExporting("sdk_large_queue", endpoint, "--queue=65536", "--batch=4096"));
  }

  private static Map<String, Object> losslessRate(List<Double> rates) {
    return Map.of("lossless_spans_per_s", Json.round(Statistics.of(rates).median(), 0));
  }

  private void subject(Mode mode, Receiver receiver) throws InterruptedException {
    if (!options.runs().modes().isEmpty() && !options.runs().modes().contains(mode.name())) {
      return;
    }
    if (mode.files().stream().anyMatch(file -> !Files.exists(file))) {
      missing.put(mode.name(), "not there: " + mode.files());
      System.out.println("  " + mode.name() + ": missing, " + missing.get(mode.name()));
      return;
    }
    Class<?> program = mode.name().startsWith("sdk") ? SdkLoad.class : ActorLoad.class;
    try (Fork fork = forks.start(mode, 0, program)) {
      described.add(fork.result(60));
      step(mode.name(), fork, receiver, 20_000, seconds, true);
      step(mode.name(), fork, receiver, 200_000, seconds, true);
      double best = 0;
      for (long rate : options.quick() ? QUICK_RATES : RATES) {
        best = Math.max(best, step(mode.name(), fork, receiver, rate, seconds, false));
      }
      lossless.computeIfAbsent(mode.name(), name -> new ArrayList<>()).add(best);
    } catch (IOException | ForkFailedException e) {
      System.out.println("  " + mode.name() + " failed: " + e.getMessage());
      missing.put(mode.name(), String.valueOf(e.getMessage()).lines().findFirst().orElse("failed"));
    }
  }

  /** Runs one step and returns its rate if nothing was lost, else 0. */
  private double step(
      String name, Fork fork, Receiver receiver, long rate, double duration, boolean warmup)
      throws IOException, InterruptedException, ForkFailedException {
    System.out.println(
        "  "
            + name
            + (warmup ? ": warm-up, " : ": ")
            + (rate == 0 ? "as fast as it can" : rate + "/s"));
    Map<String, Object> before = receiver.counts();
    fork.tell(rate + " " + duration);
    Map<String, Object> made = fork.result(STEP_TIMEOUT_SECONDS);
    double produced = Samples.number(made, "produced");
    Map<String, Object> after = settled(receiver, Samples.number(before, "spans") + produced);
    double delivered = Samples.number(after, "spans") - Samples.number(before, "spans");
    double started = Samples.number(made, "started_us");
    double madeSeconds = (Samples.number(made, "ended_us") - started) / 1e6;
    double endToEndSeconds = (Samples.number(after, "last_arrival_us") - started) / 1e6;
    double lost = Math.max(0, produced - delivered);
    double endToEnd = delivered / endToEndSeconds;
    if (warmup) {
      return 0;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("offered_per_s", rate);
    result.put("produced", produced);
    result.put("made_per_s", Json.round(produced / madeSeconds, 0));
    result.put("delivered", delivered);
    result.put("lost", lost);
    result.put("end_to_end_per_s", delivered > 0 ? Json.round(endToEnd, 0) : 0.0);
    stepsOf(name).add(result);
    double bytes = Samples.number(after, "bytes") - Samples.number(before, "bytes");
    double cpu = Samples.number(after, "cpu_ns") - Samples.number(before, "cpu_ns");
    table.row(
        name,
        rate == 0 ? "no limit" : number((double) rate, 0),
        number(produced, 0),
        number(produced / madeSeconds, 0),
        number(delivered, 0),
        number(lost, 0),
        delivered > 0 ? number(endToEnd, 0) : "0",
        number(bytes / Math.max(1, delivered), 0),
        number(cpu / Math.max(1, delivered), 0));
    return lost == 0 ? endToEnd : 0;
  }

  @SuppressWarnings("unchecked") // only lists are put there
  private List<Object> stepsOf(String name) {
    return (List<Object>) steps.computeIfAbsent(name, key -> new ArrayList<Object>());
  }

  /** Waits until all have arrived, or nothing has for a while. */
  private Map<String, Object> settled(Receiver receiver, double expected)
      throws IOException, InterruptedException {
    Map<String, Object> counts = receiver.counts();
    double last = -1;
    long quietSince = System.nanoTime();
    while (Samples.number(counts, "spans") < expected
        && System.nanoTime() - quietSince < quietMillis * 1_000_000L) {
      Thread.sleep(POLL_MILLIS);
      counts = receiver.counts();
      if (Samples.number(counts, "spans") != last) {
        last = Samples.number(counts, "spans");
        quietSince = System.nanoTime();
      }
    }
    return counts;
  }
}
