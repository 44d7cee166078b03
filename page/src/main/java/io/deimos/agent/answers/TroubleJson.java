// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.messages.Processing;
import io.deimos.agent.observer.History;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.routes.Schema;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the answers of {@code /api/v1/trouble}. An unknown value is null. */
final class TroubleJson {
  private static final Schema GROUP =
      Schema.object("")
          .with("id", Schema.text("Its id."))
          .with("node", Schema.hex(16, "In which other process; null for who answers.").orNull())
          .with("kind", Schema.text("The kind of trouble."))
          .with(
              "actorClass",
              Schema.text(
                      "The class of the actors; of starvation, of the one whose message held a"
                          + " thread for longest.")
                  .orNull())
          .with("messageClass", Schema.text("The class of the messages.").orNull())
          .with("why", Schema.text("The exception's class, or the reason.").orNull())
          .with("count", Schema.whole("How often it happened."))
          .with("firstMillis", Schema.whole("When it happened first.").orNull())
          .with("lastMillis", Schema.whole("When it happened last.").orNull());

  private static final Schema EXAMPLE =
      Schema.object("")
          .with("atMillis", Schema.whole("When it happened.").orNull())
          .with("story", Schema.text("The story, as a sentence."))
          .with("actorPath", Schema.text("To which actor.").orNull())
          .with("senderPath", Schema.text("The sender of the message.").orNull())
          .with("traceId", Schema.hex(32, "Its trace.").orNull())
          .with("spanId", Schema.hex(16, "Its span.").orNull());

  static final Schema LIST =
      Schema.named("Trouble", "Incidents in groups.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("total", Schema.whole("How many groups match."))
          .with(
              "stuckNow",
              Schema.whole("How many messages are stuck now, in all processes or in that of node."))
          .with("groupsLetGo", Schema.whole("How many groups had to make room for others."))
          .with(
              "kinds",
              Schema.map(
                  Schema.whole(""),
                  "The count of each kind, whatever is asked for. failure, ask_timeout,"
                      + " dead_letter, starvation, restart, unhandled and dropped are the numbers"
                      + " of pekko.actor.failed, pekko.ask.timed_out, pekko.message.dead_lettered"
                      + " without suppressed, pekko.dispatcher.starvation, pekko.actor.restarted,"
                      + " pekko.message.unhandled and pekko.message.dropped."))
          .with(
              "groups",
              Schema.list(
                  Schema.named("TroubleGroup", "However often the same happened.")
                      .withAll(GROUP)
                      .with(
                          "latest",
                          Schema.named("TroubleExample", "One time it happened.")
                              .withAll(EXAMPLE)
                              .orNull()),
                  "The latest first; then what is only counted."));

  static final Schema ONE =
      Schema.named("OneTroubleGroup", "A group with its last examples.")
          .withAll(GROUP)
          .with(
              "examples",
              Schema.list(
                  Schema.named("WholeTroubleExample", "One time it happened, with what led to it.")
                      .withAll(EXAMPLE)
                      .with(
                          "stack",
                          Schema.text(
                                  "The stack trace; of kind cluster, a line for each node with"
                                      + " since when it has been saying what.")
                              .orNull())
                      .with(
                          "before",
                          Schema.list(
                                  Schema.named("Before", "A message processed before.")
                                      .withAll(ActorsJson.MESSAGE),
                                  "At most 20 messages that the actor had processed before, newest"
                                      + " first, copied when the example was kept from the last"
                                      + " 4,096 of all actors. Null where none of it was recorded,"
                                      + " where that had to make room, and where more than 20"
                                      + " examples came in a second.")
                              .orNull()),
                  "The last five."));

  private TroubleJson() {}

  /**
   * @param observer of this process, if it is one of those that are told of; null if not
   * @param stuckNow in the processes that are told of
   */
  static void list(
      Json json,
      @Nullable Observer observer,
      long stuckNow,
      List<TroubleGroup> all,
      List<TroubleGroup> found,
      int limit)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("total").value(found.size());
    json.name("stuckNow").value(stuckNow);
    json.name("groupsLetGo").value(observer == null ? 0 : observer.troubleLetGo());
    json.name("kinds").beginObject();
    Map<String, Long> kinds = new TreeMap<>();
    all.forEach(group -> kinds.merge(group.kind(), group.count(), Long::sum));
    if (observer != null) {
      addOnTheirWay(kinds, all, observer.troubleTotals());
    }
    for (Map.Entry<String, Long> kind : kinds.entrySet()) {
      json.name(kind.getKey()).value(kind.getValue());
    }
    json.endObject();
    json.name("groups")
        .objects(found.subList(0, Math.min(limit, found.size())), TroubleJson::listed);
    json.endObject();
  }

  private static void listed(Json json, TroubleGroup group) throws IOException {
    group(json, group);
    json.name("latest");
    if (group.examples().isEmpty()) {
      json.none();
    } else {
      json.beginObject();
      example(json, group.examples().get(0));
      json.endObject();
    }
  }

  /** Counts of metrics that no group has: its record has not come yet, or was lost. */
  private static void addOnTheirWay(
      Map<String, Long> to, List<TroubleGroup> all, Map<String, Long> totals) {
    totals.forEach(
        (kind, total) -> {
          long grouped =
              all.stream()
                  .filter(group -> group.node().isEmpty() && group.kind().equals(kind))
                  .mapToLong(TroubleGroup::count)
                  .sum();
          if (total > grouped) {
            to.merge(kind, total - grouped, Long::sum);
          }
        });
  }

  static void one(Json json, @Nullable Observer observer, TroubleGroup group) throws IOException {
    json.beginObject();
    group(json, group);
    json.name("examples")
        .objects(
            group.examples(),
            (to, example) -> {
              example(to, example);
              to.name("stack").orNull(example.stack());
              before(to.name("before"), observer == null ? null : observer.before(example));
            });
    json.endObject();
  }

  /** By what a group is asked for: of another process with the process before it. */
  static String id(TroubleGroup group) {
    return group.node().isEmpty() ? group.id() : group.node() + "." + group.id();
  }

  private static void group(Json json, TroubleGroup group) throws IOException {
    json.name("id").value(id(group));
    json.name("node").orNull(group.node());
    json.name("kind").value(group.kind());
    json.name("actorClass").orNull(group.actorClass());
    json.name("messageClass").orNull(group.messageClass());
    json.name("why").orNull(group.why());
    json.name("count").value(group.count());
    millis(json.name("firstMillis"), group.firstEpochNanos());
    millis(json.name("lastMillis"), group.lastEpochNanos());
  }

  private static void example(Json json, TroubleGroup.Example example) throws IOException {
    boolean traced = (example.traceHi() | example.traceLo()) != 0;
    millis(json.name("atMillis"), example.epochNanos());
    json.name("story").value(example.story());
    json.name("actorPath").orNull(example.actorPath());
    json.name("senderPath").orNull(example.senderPath());
    json.name("traceId")
        .orNull(traced ? TraceId.fromLongs(example.traceHi(), example.traceLo()) : "");
    json.name("spanId").orNull(example.spanId() == 0 ? "" : SpanId.fromLong(example.spanId()));
  }

  private static void before(Json json, @Nullable History history) throws IOException {
    if (history == null) {
      json.none();
      return;
    }
    json.objects(history.lines(), TroubleJson::before);
  }

  private static void before(Json json, History.Line line) throws IOException {
    Processing processing = line.processing();
    json.name("startEpochNanos").value(Long.toString(processing.startEpochNanos()));
    json.name("class").value(line.message());
    json.name("senderPath").orNull(line.senderPath());
    json.name("waitNanos").value(processing.waitNanos());
    json.name("processingNanos").value(processing.nanos());
    json.name("failed").value(processing.failed());
    json.name("traceId").value(processing.span().traceHex());
    json.name("spanId").value(processing.span().spanHex());
  }

  private static void millis(Json json, long epochNanos) throws IOException {
    json.value(epochNanos == 0 ? null : epochNanos / 1_000_000);
  }
}
