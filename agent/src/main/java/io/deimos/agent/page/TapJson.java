// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.observer.TapState;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import java.util.List;

/** Writes the answers of {@code /api/v1/tap}. What is not known is null. */
final class TapJson {
  private TapJson() {}

  /**
   * @param share of the messages that have records
   */
  static void writeTo(Json json, TapState tap, double share) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("id").value(tap.id());
    json.name("state").value(tap.endedBy().isEmpty() ? "open" : "ended");
    text(json.name("endedBy"), tap.endedBy());
    json.name("endsMillis").value(tap.endsEpochMillis());
    json.name("count").value(tap.query().count());
    json.name("rate").value(tap.query().perSecond());
    json.name("seconds").value(tap.query().seconds());
    json.name("taken").value(tap.taken());
    json.name("leftOut").value(tap.leftOut());
    json.name("recordedShare").value(share);
    List<TapState.Line> lines = tap.lines();
    json.name("last").value(lines.isEmpty() ? tap.taken() : lines.get(lines.size() - 1).number());
    json.name("messages").beginArray();
    for (TapState.Line line : lines) {
      message(json, line);
    }
    json.endArray().endObject();
  }

  private static void message(Json json, TapState.Line line) throws IOException {
    json.beginObject();
    json.name("number").value(line.number());
    json.name("atMillis").value(line.startEpochNanos() / 1_000_000);
    json.name("class").value(line.message());
    json.name("actorPath").value(line.actorPath());
    json.name("actorClass").value(line.actorClass());
    text(json.name("senderPath"), line.senderPath());
    if (line.waitNanos() < 0) {
      json.name("waitNanos").value((String) null);
    } else {
      json.name("waitNanos").value(line.waitNanos());
    }
    json.name("processingNanos").value(line.nanos());
    text(json.name("error"), line.error());
    json.name("traceId").value(TraceId.fromLongs(line.traceHi(), line.traceLo()));
    json.name("spanId").value(SpanId.fromLong(line.spanId()));
    json.name("content").value(line.content());
    json.endObject();
  }

  private static void text(Json json, String text) throws IOException {
    json.value(text.isEmpty() ? null : text);
  }
}
