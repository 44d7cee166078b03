// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.observer.MessageMap;
import io.deimos.agent.store.TraceStore;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the answer of {@code /api/v1/map}. What is not known is null. */
final class MapJson {
  private MapJson() {}

  /**
   * Writes a map.
   *
   * @param store where the traces are that a reader can look at
   */
  static void writeTo(Json json, MessageMap map, double recordedShare, TraceStore store)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("sinceMillis").value(map.sinceEpochNanos() / 1_000_000);
    json.name("seconds").value(map.seconds());
    json.name("messages").value(map.messages());
    json.name("edgesLeftOut").value(map.edgesLeftOut());
    json.name("messagesLeftOut").value(map.messagesLeftOut());
    json.name("recordedShare").value(recordedShare);
    json.name("nodes").beginArray();
    for (MessageMap.Node node : map.nodes()) {
      node(json, node, map.seconds());
    }
    json.endArray();
    json.name("edges").beginArray();
    for (MessageMap.Edge edge : map.edges()) {
      edge(json, edge, map.seconds(), store);
    }
    json.endArray().endObject();
  }

  private static void node(Json json, MessageMap.Node node, double seconds) throws IOException {
    json.beginObject();
    json.name("key").value(node.key());
    json.name("kind").value(node.kind().name().toLowerCase(Locale.ROOT));
    json.name("name").value(node.name());
    json.name("class").value(node.className().isEmpty() ? null : node.className());
    json.name("pekko").value(node.pekkos());
    known(json.name("living"), node.living());
    json.name("ratePerSecond").value(node.messages() / seconds);
    json.name("busyCores").value(node.nanos() / 1e9 / seconds);
    json.name("messages").value(node.messages());
    json.name("failures").value(node.failures());
    json.endObject();
  }

  private static void edge(Json json, MessageMap.Edge edge, double seconds, TraceStore store)
      throws IOException {
    json.beginObject();
    json.name("from").value(edge.from());
    json.name("to").value(edge.to());
    json.name("messages").value(edge.messages());
    json.name("ratePerSecond").value(edge.messages() / seconds);
    json.name("failures").value(edge.failures());
    json.name("asks").value(edge.asks());
    known(json.name("waitP99Nanos"), edge.waitP99Nanos());
    json.name("processingNanos").value(edge.nanos());
    json.name("classes").beginArray();
    for (MessageMap.OfClass one : edge.classes()) {
      json.beginObject();
      json.name("class").value(one.name());
      json.name("messages").value(one.messages());
      json.name("failures").value(one.failures());
      known(json.name("waitP99Nanos"), one.waitP99Nanos());
      json.endObject();
    }
    json.endArray();
    json.name("classesLeftOut").value(edge.classesLeftOut());
    sample(json.name("latest"), edge.latest());
    sample(json.name("failed"), edge.failed());
    sample(json.name("slowest"), slowest(edge, store));
    json.endObject();
  }

  /** One whose trace is there, if possible to stay; null if none is. */
  private static MessageMap.@Nullable Sample slowest(MessageMap.Edge edge, TraceStore store) {
    MessageMap.Sample held = null;
    for (MessageMap.Sample sample : edge.slowest()) {
      if (store.has(sample.traceHi(), sample.traceLo(), true)) {
        return sample;
      }
      if (held == null && store.has(sample.traceHi(), sample.traceLo(), false)) {
        held = sample;
      }
    }
    return held;
  }

  private static void sample(Json json, MessageMap.@Nullable Sample sample) throws IOException {
    if (sample == null) {
      json.value((String) null);
      return;
    }
    json.beginObject();
    json.name("traceId").value(TraceId.fromLongs(sample.traceHi(), sample.traceLo()));
    json.name("spanId").value(SpanId.fromLong(sample.spanId()));
    json.name("atMillis").value(sample.startEpochNanos() / 1_000_000);
    known(json.name("waitNanos"), sample.waitNanos());
    json.name("processingNanos").value(sample.nanos());
    json.endObject();
  }

  private static void known(Json json, long number) throws IOException {
    if (number < 0) {
      json.value((String) null);
    } else {
      json.value(number);
    }
  }
}
