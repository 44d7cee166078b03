// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.counts.MetricsFold;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of one actor class in one system, over all kinds of that name: a typed actor whose
 * behaviour was not known at first has two.
 */
final class ActorRow {
  static final Schema HISTOGRAM =
      Schema.named("Histogram", "Durations in buckets, since the start.")
          .with("count", Schema.whole("How many."))
          .with("sumNanos", Schema.whole("All together."))
          .with(
              "buckets",
              Schema.list(
                  Schema.whole(""),
                  "How many in each bucket: one more than there are bounds, for what is longer."));

  static final Schema SCHEMA =
      Schema.named("ActorClass", "The actors of one class in one actor system.")
          .with("class", Schema.text("The class."))
          .with("system", Schema.text("The actor system."))
          .with("live", Schema.whole("How many live."))
          .with("started", Schema.whole("How many were started."))
          .with("stopped", Schema.whole("How many were stopped."))
          .with("restarted", Schema.whole("How often one was restarted."))
          .with("failed", Schema.whole("How many messages failed."))
          .with(
              "messages",
              Schema.list(
                  Schema.named("MessageClass", "The messages of one class to them.")
                      .with("class", Schema.text("The class."))
                      .with("processed", Schema.whole("How many were processed."))
                      .with("failed", Schema.whole("How many failed."))
                      .with("processing", HISTOGRAM)
                      .with("wait", HISTOGRAM),
                  "By class."));

  private final String className;
  private final String system;
  private final Map<String, Long> failures = new TreeMap<>();
  private final Map<String, MessageRow> messages = new TreeMap<>();
  private long live;
  private long started;
  private long stopped;
  private long restarted;
  private long failed;

  ActorRow(String className, String system) {
    this.className = className;
    this.system = system;
  }

  void add(ActorKind kind) {
    live += kind.live();
    started += kind.started();
    stopped += kind.stopped();
    restarted += kind.restarted();
    failed += kind.failed();
    kind.failures().forEach((type, count) -> failures.merge(type, count, Long::sum));
  }

  void add(MetricsFold.Series series) {
    messages.computeIfAbsent(series.message().name(), name -> new MessageRow()).add(series);
  }

  long live() {
    return live;
  }

  long processed() {
    return messages.values().stream().mapToLong(row -> row.processed).sum();
  }

  /** A class known by name only, of which nothing has happened. */
  boolean isEmpty() {
    return started == 0 && stopped == 0 && restarted == 0 && failed == 0 && processed() == 0;
  }

  void writeTo(Json json) throws IOException {
    json.beginObject();
    json.name("class").value(className);
    json.name("system").value(system);
    json.name("live").value(live);
    json.name("started").value(started);
    json.name("stopped").value(stopped);
    json.name("restarted").value(restarted);
    json.name("failed").value(failed);
    json.name("messages").beginArray();
    for (Map.Entry<String, MessageRow> message : messages.entrySet()) {
      message.getValue().writeTo(json, message.getKey());
    }
    json.endArray();
    json.endObject();
  }

  String className() {
    return className;
  }

  long failed() {
    return failed;
  }

  /** Failures by exception class. */
  Map<String, Long> failures() {
    return failures;
  }

  /** Adds how long messages were processed. */
  void addProcessingTo(long[] buckets) {
    messages.values().forEach(row -> MessageRow.plus(buckets, row.processing));
  }

  /** Adds how long messages waited. */
  void addWaitsTo(long[] buckets) {
    messages.values().forEach(row -> MessageRow.plus(buckets, row.waiting));
  }

  long processingNanos() {
    return messages.values().stream().mapToLong(row -> row.processingNanos).sum();
  }

  long waitNanos() {
    return messages.values().stream().mapToLong(row -> row.waitNanos).sum();
  }

  /** The counts of one message class. */
  private static final class MessageRow {
    private final long[] processing = new long[io.deimos.recorder.counts.Durations.BUCKETS];
    private final long[] waiting = new long[io.deimos.recorder.counts.Durations.BUCKETS];
    private long processed;
    private long failed;
    private long processingNanos;
    private long waitNanos;

    void add(MetricsFold.Series series) {
      processed += series.processed();
      failed += series.failed();
      processingNanos += series.processingNanos();
      waitNanos += series.waitNanos();
      plus(processing, series.processingBuckets());
      plus(waiting, series.waitBuckets());
    }

    private static void plus(long[] to, long[] more) {
      for (int i = 0; i < to.length; i++) {
        to[i] += more[i];
      }
    }

    void writeTo(Json json, String className) throws IOException {
      json.beginObject();
      json.name("class").value(className);
      json.name("processed").value(processed);
      json.name("failed").value(failed);
      StateJson.histogram(json.name("processing"), processingNanos, processing);
      StateJson.histogram(json.name("wait"), waitNanos, waiting);
      json.endObject();
    }
  }
}
