// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.source.HourHistory;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.source.Quantiles;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricKind;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.names.Attribute;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the answer of {@code /api/v1/system}: the last hour, what requests take, and all that is
 * counted and read of dispatchers, cluster, sharding, remoting, persistence, streams and breakers,
 * as it is now.
 */
final class SystemJson {
  static final String PATH = "/api/v1/system";

  private static final Schema SERIES =
      Schema.named("Series", "One series of a metric.")
          .with("of", Schema.list(Schema.text(""), "The values of the attributes."))
          .with(
              "value",
              Schema.number(
                  "Counters since the start, gauges as read last; of durations how many."))
          .with(
              "p99Nanos",
              Schema.number("The figures of durations, since the start.").orNull().maybe());

  private static final Schema METRIC =
      Schema.named("Metric", "One series of a metric.")
          .with("name", Schema.text("As it is exported."))
          .with("unit", Schema.text("Its unit."))
          .with("kind", Schema.text("counter, gauge, histogram and so on."))
          .with("description", Schema.text("Its meaning."))
          .with("attributes", Schema.list(Schema.text(""), "The keys of its attributes."))
          .with("seriesLeftOut", Schema.whole("How many series there are beyond these."))
          .with("series", Schema.list(SERIES, "The 50 greatest."));

  static final Schema SYSTEM =
      Schema.named("System", "The actor system as a whole.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("hour", HourHistory.SCHEMA)
          .with("requests", RequestsJson.SCHEMA)
          .with("outlook", OutlookJson.OUTLOOK.maybe())
          .with("metrics", Schema.list(METRIC, "The metrics."))
          .with(
              "transport",
              Schema.list(
                  TransportJson.STREAM,
                  "The 50 with the most messages, since the start; empty where the transport does"
                      + " not run. flushNanos counts only while deimos.remote.clocks is on."));

  static final Route ROUTE =
      Route.at(
              PATH,
              "system",
              "The actor system as a whole",
              "Tells the last hour, a value for each minute (messages a second, p99 of processing"
                  + " and waits, failures, ask time-outs, dead letters, heap), what requests to"
                  + " this page take, queues that grow and when the heap will be full, and all that is counted and read of dispatchers, mailboxes,"
                  + " cluster, sharding, remoting, persistence, streams and breakers.")
          .answers(SYSTEM);

  private static final int MAX_SERIES = 50;

  private SystemJson() {}

  static void writeTo(Json json, PageSource source, Accountant accountant) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    source.history().hour().writeTo(json.name("hour"));
    RequestsJson.writeTo(json.name("requests"), accountant);
    OutlookJson.writeTo(json.name("outlook"), source.checks());
    json.name("metrics").beginArray();
    Readings read = GaugeReaders.last();
    for (Metric metric : Metric.values()) {
      Map<List<String>, long[]> series = series(metric, read);
      if (!series.isEmpty()) {
        metric(json, metric, series);
      }
    }
    json.endArray();
    TransportJson.writeTo(json.name("transport"));
    json.endObject();
  }

  private static Map<List<String>, long[]> series(Metric metric, Readings read) {
    if (metric.kind() == MetricKind.COUNTER || metric.kind() == MetricKind.HISTOGRAM) {
      return metric.tally().read();
    }
    Map<List<String>, long[]> series = new HashMap<>();
    read.of(metric).forEach((values, value) -> series.put(values, new long[] {value}));
    return series;
  }

  private static void metric(Json json, Metric metric, Map<List<String>, long[]> series)
      throws IOException {
    boolean isDuration = metric.kind() == MetricKind.HISTOGRAM;
    List<Map.Entry<List<String>, long[]>> sorted = new ArrayList<>(series.entrySet());
    sorted.sort(
        (a, b) -> Long.compare(value(b.getValue(), isDuration), value(a.getValue(), isDuration)));
    json.beginObject();
    json.name("name").value(metric.id());
    json.name("unit").value(metric.unit());
    json.name("kind").value(metric.kind().word());
    json.name("description").value(metric.description());
    json.name("attributes").beginArray();
    for (Attribute attribute : metric.attributes()) {
      json.value(attribute.key());
    }
    json.endArray();
    json.name("seriesLeftOut").value(Math.max(0, sorted.size() - MAX_SERIES));
    json.name("series").beginArray();
    for (Map.Entry<List<String>, long[]> one :
        sorted.subList(0, Math.min(MAX_SERIES, sorted.size()))) {
      json.beginObject().name("of").values(one.getKey());
      long value = value(one.getValue(), isDuration);
      json.name("value");
      if (metric.kind() == MetricKind.DECIMAL) {
        json.value(value / Metric.THOUSANDTHS);
      } else {
        json.value(value);
      }
      if (isDuration) {
        json.name("p99Nanos").value(Quantiles.nanos(buckets(one.getValue()), 0.99));
      }
      json.endObject();
    }
    json.endArray().endObject();
  }

  /** The number of durations. */
  private static long value(long[] counts, boolean isDuration) {
    return isDuration ? Arrays.stream(buckets(counts)).sum() : counts[0];
  }

  /** Without the sum of all durations, which is the last. */
  private static long[] buckets(long[] counts) {
    return Arrays.copyOf(counts, counts.length - 1);
  }
}
