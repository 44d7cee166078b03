// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the last minute of an actor system, and below it the greatest of what is counted. */
final class SystemLines {
  private static final int MAX_OF_A_METRIC = 3;

  private SystemLines() {}

  static void print(Map<String, @Nullable Object> answer, PrintStream out) {
    Map<String, @Nullable Object> hour = PlainJson.object(answer.get("hour"));
    int minutes = PlainJson.list(hour.get("seconds")).size();
    if (minutes == 0) {
      out.println("the first minute is not over");
    } else {
      out.printf(
          Locale.ROOT,
          "last minute: %.1f messages a second, processing p99 %s, wait p99 %s%n",
          number(last(hour, "rate")),
          ActorTable.duration(last(hour, "processingP99")),
          ActorTable.duration(last(hour, "waitP99")));
      out.printf(
          Locale.ROOT,
          "             %.0f actors, %.0f MiB of heap at most%n",
          number(last(hour, "actorsLive")),
          number(last(hour, "heapBytes")) / (1 << 20));
      out.printf(
          Locale.ROOT,
          "last %d min:  %.0f failures, %.0f ask time-outs, %.0f dead letters%n",
          minutes,
          sum(hour, "failures"),
          sum(hour, "askTimeouts"),
          sum(hour, "deadLetters"));
    }
    for (@Nullable Object stream : PlainJson.list(answer.get("transport"))) {
      batches(PlainJson.object(stream), out);
    }
    for (@Nullable Object metric : PlainJson.list(answer.get("metrics"))) {
      metric(PlainJson.object(metric), out);
    }
  }

  private static void batches(Map<String, @Nullable Object> stream, PrintStream out) {
    Map<String, @Nullable Object> length = PlainJson.object(stream.get("length"));
    Map<String, @Nullable Object> bytes = PlainJson.object(stream.get("bytes"));
    Map<String, @Nullable Object> flush = PlainJson.object(stream.get("flushNanos"));
    out.printf(
        Locale.ROOT,
        "to %s, %s: %.0f batches, %.1f messages and %.0f bytes each, flush p99 %s%n",
        ActorTable.printable(stream.get("peer")),
        ActorTable.printable(stream.get("stream")),
        number(stream.get("batches")),
        number(length.get("mean")),
        number(bytes.get("mean")),
        ActorTable.duration(flush.get("p99")));
    List<String> reasons = new ArrayList<>();
    PlainJson.object(stream.get("reasons"))
        .forEach(
            (reason, n) -> reasons.add(String.format(Locale.ROOT, "%s %.0f", reason, number(n))));
    out.printf(
        "  ended by %s%n  %s%n",
        ActorTable.printable(String.join(", ", reasons)),
        ActorTable.printable(stream.get("advice")));
  }

  private static void metric(Map<String, @Nullable Object> metric, PrintStream out) {
    List<@Nullable Object> series = PlainJson.list(metric.get("series"));
    for (@Nullable Object one : series.subList(0, Math.min(MAX_OF_A_METRIC, series.size()))) {
      Map<String, @Nullable Object> of = PlainJson.object(one);
      if (number(of.get("value")) == 0) {
        return;
      }
      List<String> values = new ArrayList<>();
      for (@Nullable Object value : PlainJson.list(of.get("of"))) {
        values.add(String.valueOf(value));
      }
      out.printf(
          Locale.ROOT,
          "%12s  %s%s%s%n",
          value(number(of.get("value"))),
          name(ActorTable.printable(metric.get("name"))),
          values.isEmpty() ? "" : "  " + ActorTable.printable(String.join(" ", values)),
          of.get("p99Nanos") == null ? "" : "  p99 " + ActorTable.duration(of.get("p99Nanos")));
    }
  }

  /** As it is read: {@code dispatcher queue size}. */
  private static String name(String metric) {
    return metric.replaceAll("^pekko\\.|\\.count$", "").replaceAll("[._]", " ");
  }

  private static String value(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.3f", value);
  }

  private static @Nullable Object last(Map<String, @Nullable Object> hour, String column) {
    List<@Nullable Object> values = PlainJson.list(hour.get(column));
    return values.isEmpty() ? null : values.get(values.size() - 1);
  }

  private static double sum(Map<String, @Nullable Object> hour, String column) {
    double sum = 0;
    for (@Nullable Object value : PlainJson.list(hour.get(column))) {
      sum += number(value);
    }
    return sum;
  }

  private static double number(@Nullable Object value) {
    return value instanceof Double ? (Double) value : 0;
  }
}
