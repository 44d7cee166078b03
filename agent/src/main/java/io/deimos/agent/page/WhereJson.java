// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.observer.Fate;
import io.deimos.agent.observer.Sighting;
import io.deimos.agent.observer.Whereabouts;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import java.util.Map;

/** Writes the answer of {@code /api/v1/where}. What is not known is null. */
final class WhereJson {
  private WhereJson() {}

  /**
   * @param share of the messages that have records
   */
  static void writeTo(Json json, String query, Whereabouts found, double share) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("query").value(query);
    json.name("total").value(found.total());
    json.name("fates").beginObject();
    for (Map.Entry<Fate, Long> fate : found.counts().entrySet()) {
      json.name(fate.getKey().word()).value(fate.getValue());
    }
    json.endObject();
    json.name("matches").beginArray();
    for (Sighting sighting : found.sightings()) {
      match(json, sighting);
    }
    json.endArray();
    looked(json.name("looked"), found.looked(), share);
    json.name("notLookedAt").beginArray();
    for (String note : found.notLookedAt()) {
      json.value(note);
    }
    json.endArray().endObject();
  }

  private static void match(Json json, Sighting of) throws IOException {
    boolean traced = (of.traceHi() | of.traceLo()) != 0;
    json.beginObject();
    json.name("fate").value(of.fate().word());
    json.name("story").value(of.story());
    text(json.name("messageClass"), of.message());
    text(json.name("actorPath"), of.actorPath());
    text(json.name("actorClass"), of.actorClass());
    text(json.name("senderPath"), of.senderPath());
    positive(json.name("atMillis"), of.atEpochNanos() / 1_000_000);
    positive(json.name("place"), of.place());
    known(json.name("waitNanos"), of.waitNanos());
    known(json.name("processingNanos"), of.nanos());
    text(json.name("traceId"), traced ? TraceId.fromLongs(of.traceHi(), of.traceLo()) : "");
    text(json.name("spanId"), of.spanId() == 0 ? "" : SpanId.fromLong(of.spanId()));
    json.name("content").value(of.content());
    text(json.name("troubleId"), of.troubleId());
    text(json.name("node"), of.node());
    json.endObject();
  }

  private static void looked(Json json, Whereabouts.Looked looked, double share)
      throws IOException {
    json.beginObject();
    json.name("records").value(looked.records());
    positive(json.name("sinceMillis"), looked.sinceEpochNanos() / 1_000_000);
    json.name("recordedShare").value(share);
    json.name("actors").value(looked.actors());
    json.name("waiting").value(looked.waiting());
    json.name("asks").value(looked.asks());
    json.name("troubles").value(looked.troubles());
    json.name("traces").value(looked.traces());
    json.endObject();
  }

  private static void text(Json json, String text) throws IOException {
    json.value(text.isEmpty() ? null : text);
  }

  private static void positive(Json json, long number) throws IOException {
    if (number > 0) {
      json.value(number);
    } else {
      json.value((String) null);
    }
  }

  private static void known(Json json, long number) throws IOException {
    if (number >= 0) {
      json.value(number);
    } else {
      json.value((String) null);
    }
  }
}
