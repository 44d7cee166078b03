// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The results of a plan: a table for people, and one JSON object. */
final class Results {
  private static final int RATE = 0;
  private static final int CPU = 1;
  private static final int BYTES = 2;
  private static final int MEDIAN_NANOS = 3;
  private static final int TAIL_NANOS = 4;

  private final Plan plan;
  private final Map<Row, List<double[]>> samples = new LinkedHashMap<>();

  Results(Plan plan) {
    this.plan = plan;
  }

  /** Takes {@code RESULT clients window} and the numbers that follow. */
  void add(String transport, String line) {
    String[] parts = line.split(" ");
    double[] numbers = new double[parts.length - 3];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(parts[i + 3]);
    }
    Row row = new Row(transport, Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    samples.computeIfAbsent(row, key -> new ArrayList<>()).add(numbers);
  }

  void print() {
    System.out.printf(
        "%n%s%n%-13s %7s %6s %11s %9s %8s %8s %8s %9s %9s%n",
        plan.name(),
        "transport",
        "clients",
        "window",
        "msg/s",
        "sd",
        "CPU ns",
        "bytes",
        "x stock",
        "p50 us",
        "p99 us");
    samples.forEach(
        (row, all) -> {
          List<double[]> stock = samples.get(row.ofStock());
          System.out.printf(
              Locale.ROOT,
              "%-13s %7d %6d %11.0f %9.0f %8.0f %8.0f %8s %9.1f %9.1f%n",
              row.transport,
              row.clients,
              row.window,
              median(all, RATE),
              deviation(all),
              median(all, CPU),
              median(all, BYTES),
              stock == null
                  ? "-"
                  : String.format(Locale.ROOT, "%.2f", median(all, RATE) / median(stock, RATE)),
              median(all, MEDIAN_NANOS) / 1e3,
              median(all, TAIL_NANOS) / 1e3);
        });
  }

  String json() {
    StringBuilder rows = new StringBuilder();
    samples.forEach(
        (row, all) -> {
          rows.append(rows.isEmpty() ? "" : ",")
              .append(
                  String.format(
                      Locale.ROOT,
                      "{\"transport\":\"%s\",\"clients\":%d,\"window\":%d,\"msgs_per_s\":%.0f,"
                          + "\"msgs_per_s_sd\":%.0f,\"cpu_ns_per_msg\":%.0f,\"bytes_per_msg\":%.0f",
                      row.transport,
                      row.clients,
                      row.window,
                      median(all, RATE),
                      deviation(all),
                      median(all, CPU),
                      median(all, BYTES)));
          if (plan.idle()) {
            rows.append(
                String.format(
                    Locale.ROOT,
                    ",\"round_trip_p50_ns\":%.0f,\"round_trip_p99_ns\":%.0f",
                    median(all, MEDIAN_NANOS),
                    median(all, TAIL_NANOS)));
          }
          rows.append('}');
        });
    return String.format(
        Locale.ROOT,
        "{\"benchmark\":\"%s\",\"machine\":\"%s, %d cores\",\"jdk\":\"%s\",\"commit\":\"%s\","
            + "\"rows\":[%s]}",
        plan.name(),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.runtime.version"),
        System.getProperty("commit", "unknown"),
        rows);
  }

  private static double median(List<double[]> samples, int column) {
    double[] sorted = samples.stream().mapToDouble(sample -> sample[column]).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Standard deviation of the rates. */
  private static double deviation(List<double[]> samples) {
    double mean = samples.stream().mapToDouble(sample -> sample[RATE]).average().orElse(0);
    double squares =
        samples.stream()
            .mapToDouble(sample -> (sample[RATE] - mean) * (sample[RATE] - mean))
            .sum();
    return samples.size() < 2 ? 0 : Math.sqrt(squares / (samples.size() - 1));
  }

  private record Row(String transport, int clients, int window) {
    /** The row that this one is compared with. */
    Row ofStock() {
      boolean tls = Objects.requireNonNull(transport).endsWith("-tls");
      return new Row(tls ? "artery-tls" : "artery-tcp", clients, window);
    }
  }
}
