// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.messages.Processing;
import io.deimos.agent.observer.MessageMap;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answer of {@code /api/v1/map}. An unknown value is null. */
final class MapJson {
  private static final Schema SAMPLE =
      Schema.named("MapSample", "One message of an edge.")
          .with("traceId", Schema.hex(32, "Its trace."))
          .with("spanId", Schema.hex(16, "Its span."))
          .with("atMillis", Schema.whole("When its processing began."))
          .with("waitNanos", Schema.whole("For how long it waited.").orNull())
          .with("processingNanos", Schema.whole("For how long it was processed."))
          .orNull();

  private static final Schema NODE =
      Schema.named("MapNode", "A sender or receiver.")
          .with("key", Schema.text("Its name in edges."))
          .with(
              "kind",
              Schema.oneOf(
                  Arrays.stream(MessageMap.Kind.values()).map(MapJson::word).toList(),
                  "Its kind; outside is no actor: a thread of the application, say."))
          .with("name", Schema.text("Its name."))
          .with("class", Schema.text("Its class, if it has one.").orNull())
          .with("pekko", Schema.flag("Whether it is Pekko's own."))
          .with("living", Schema.whole("How many actors live.").orNull())
          .with("ratePerSecond", Schema.number("Received messages a second.").orNull())
          .with("busyCores", Schema.number("The processor time it takes, in cores.").orNull())
          .with("messages", Schema.whole("Received messages."))
          .with("failures", Schema.whole("How many of them failed."))
          .with("slowest", SAMPLE);

  private static final Schema EDGE =
      Schema.named("MapEdge", "From whom to whom.")
          .with("from", Schema.text("The key of a node."))
          .with("to", Schema.text("The key of a node."))
          .with("messages", Schema.whole("How many messages."))
          .with("ratePerSecond", Schema.number("How many a second.").orNull())
          .with("failures", Schema.whole("How many failed."))
          .with("asks", Schema.whole("How many were asks."))
          .with("waitP99Nanos", Schema.whole("99 of 100 waited less in the mailbox.").orNull())
          .with("processingNanos", Schema.whole("For how long they were processed in all."))
          .with(
              "classes",
              Schema.list(
                  Schema.object("")
                      .with("class", Schema.text("A class of messages."))
                      .with("messages", Schema.whole("How many."))
                      .with("failures", Schema.whole("How many failed."))
                      .with("waitP99Nanos", Schema.whole("99 of 100 waited less.").orNull()),
                  "The ten most frequent classes of messages."))
          .with("classesLeftOut", Schema.whole("How many more classes there are."))
          .with("latest", SAMPLE)
          .with("failed", SAMPLE)
          .with("slowest", SAMPLE);

  static final Schema MAP =
      Schema.named("Map", "The messages of late by sender and receiver.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("sinceMillis", Schema.whole("From when the messages are.").orNull())
          .with(
              "seconds",
              Schema.number(
                  "For how long they are: less than was asked for if they are not kept for so"
                      + " long."))
          .with("messages", Schema.whole("How many there were."))
          .with("edgesLeftOut", Schema.whole("Edges that match and are beyond the limit."))
          .with("messagesLeftOut", Schema.whole("Their messages."))
          .with(
              "recordedShare",
              Schema.number("The share of the messages that has records; all figures are of these.")
                  .orNull())
          .with("notLookedAt", Schema.NOT_LOOKED_AT)
          .with("nodes", Schema.list(NODE, "The senders and receivers."))
          .with("edges", Schema.list(EDGE, "Those with failures first, then the busiest."));

  private MapJson() {}

  /**
   * Writes a map.
   *
   * @param store where the traces are that a reader can look at
   */
  static void writeTo(
      Json json, MessageMap map, double recordedShare, TraceStore store, List<String> notLookedAt)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("sinceMillis").value(map.sinceEpochNanos() / 1_000_000);
    json.name("seconds").value(map.seconds());
    json.name("messages").value(map.messages());
    json.name("edgesLeftOut").value(map.edgesLeftOut());
    json.name("messagesLeftOut").value(map.messagesLeftOut());
    json.name("recordedShare").value(recordedShare);
    json.name("notLookedAt").values(notLookedAt);
    IdentityHashMap<MessageMap.Edge, Processing> slowest = new IdentityHashMap<>();
    Map<String, Processing> slowestTo = new HashMap<>();
    for (MessageMap.Edge edge : map.edges()) {
      Processing sample = slowest(edge, store);
      if (sample != null) {
        slowest.put(edge, sample);
        slowestTo.merge(edge.to(), sample, MapJson::slower);
      }
    }
    json.name("nodes")
        .objects(
            map.nodes(), (to, node) -> node(to, node, map.seconds(), slowestTo.get(node.key())));
    json.name("edges")
        .objects(map.edges(), (to, edge) -> edge(to, edge, map.seconds(), slowest.get(edge)))
        .endObject();
  }

  private static Processing slower(Processing one, Processing other) {
    return other.tookNanos() > one.tookNanos() ? other : one;
  }

  private static void node(
      Json json, MessageMap.Node node, double seconds, @Nullable Processing slowest)
      throws IOException {
    json.name("key").value(node.key());
    json.name("kind").value(word(node.kind()));
    json.name("name").value(node.name());
    json.name("class").orNull(node.className());
    json.name("pekko").value(node.pekkos());
    json.name("living").value(node.living());
    MessageMap.Traffic received = node.received();
    json.name("ratePerSecond").value(received.messages() / seconds);
    json.name("busyCores").value(received.nanos() / 1e9 / seconds);
    json.name("messages").value(received.messages());
    json.name("failures").value(received.failures());
    sample(json.name("slowest"), slowest);
  }

  private static String word(MessageMap.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static void edge(
      Json json, MessageMap.Edge edge, double seconds, @Nullable Processing slowest)
      throws IOException {
    json.name("from").value(edge.from());
    json.name("to").value(edge.to());
    MessageMap.Traffic traffic = edge.traffic();
    json.name("messages").value(traffic.messages());
    json.name("ratePerSecond").value(traffic.messages() / seconds);
    json.name("failures").value(traffic.failures());
    json.name("asks").value(edge.asks());
    json.name("waitP99Nanos").value(traffic.waitP99Nanos());
    json.name("processingNanos").value(traffic.nanos());
    json.name("classes")
        .objects(
            edge.classes(),
            (to, one) -> {
              to.name("class").value(one.name());
              to.name("messages").value(one.traffic().messages());
              to.name("failures").value(one.traffic().failures());
              to.name("waitP99Nanos").value(one.traffic().waitP99Nanos());
            });
    json.name("classesLeftOut").value(edge.classesLeftOut());
    sample(json.name("latest"), edge.samples().latest());
    sample(json.name("failed"), edge.samples().failed());
    sample(json.name("slowest"), slowest);
  }

  /** One whose trace is there, if possible to stay; null if none is. */
  private static @Nullable Processing slowest(MessageMap.Edge edge, TraceStore store) {
    Processing held = null;
    for (Processing sample : edge.samples().slowest()) {
      if (store.has(sample.span().traceHi(), sample.span().traceLo(), true)) {
        return sample;
      }
      if (held == null && store.has(sample.span().traceHi(), sample.span().traceLo(), false)) {
        held = sample;
      }
    }
    return held;
  }

  private static void sample(Json json, @Nullable Processing sample) throws IOException {
    if (sample == null) {
      json.none();
      return;
    }
    json.beginObject();
    json.name("traceId").value(sample.span().traceHex());
    json.name("spanId").value(sample.span().spanHex());
    json.name("atMillis").value(sample.startEpochNanos() / 1_000_000);
    json.name("waitNanos").value(sample.waitNanos());
    json.name("processingNanos").value(sample.nanos());
    json.endObject();
  }
}
