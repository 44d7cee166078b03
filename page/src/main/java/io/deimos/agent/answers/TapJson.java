// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.messages.Processing;
import io.deimos.agent.observer.TapState;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.List;

/** Writes the answers of {@code /api/v1/tap}. An unknown value is null. */
final class TapJson {
  private static final Schema MESSAGE =
      Schema.named("TapMessage", "One message that was processed.")
          .with("number", Schema.whole("Its number, from 1."))
          .with("atMillis", Schema.whole("When its processing began."))
          .with("class", Schema.text("Its class."))
          .with("actorPath", Schema.text("The actor that processed it."))
          .with("actorClass", Schema.text("The class of that actor."))
          .with("senderPath", Schema.text("The sender; null for a typed one.").orNull())
          .with("waitNanos", Schema.whole("For how long it waited.").orNull())
          .with("processingNanos", Schema.whole("For how long it was processed."))
          .with("error", Schema.text("The class of what its processing threw.").orNull())
          .with("traceId", Schema.hex(32, "Its trace."))
          .with("spanId", Schema.hex(16, "Its span."))
          .with(
              "content",
              Schema.text(
                      "Its content, for classes in deimos.content.messages, redacted as set, and"
                          + " cut after 1,000 characters.")
                  .orNull());

  static final Schema TAP =
      Schema.named("Tap", "A tap, and messages that it has taken.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("id", Schema.text("Its id."))
          .with("state", Schema.oneOf(List.of("open", "ended"), "Whether more can come."))
          .with(
              "endedBy",
              Schema.text("The reason of its end: count, time, memory, or nobody who asked for it.")
                  .orNull())
          .with("endsMillis", Schema.whole("When its time is up."))
          .with("count", Schema.whole("How many messages it takes."))
          .with("rate", Schema.whole("How many of each second."))
          .with("seconds", Schema.whole("For how long."))
          .with("taken", Schema.whole("How many it has taken."))
          .with("leftOut", Schema.whole("How many more came faster than its rate."))
          .with(
              "recordedShare",
              Schema.number("The share of the messages that has records; a tap sees these alone.")
                  .orNull())
          .with("last", Schema.whole("The number of the last message, to ask for what is after."))
          .with("messages", Schema.list(MESSAGE, "Those after the one that was asked for."));

  private TapJson() {}

  /**
   * @param share of the messages that have records
   */
  static void writeTo(Json json, TapState tap, double share) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("id").value(tap.id());
    json.name("state").value(tap.endedBy().isEmpty() ? "open" : "ended");
    json.name("endedBy").orNull(tap.endedBy());
    json.name("endsMillis").value(tap.endsEpochMillis());
    json.name("count").value(tap.query().count());
    json.name("rate").value(tap.query().perSecond());
    json.name("seconds").value(tap.query().seconds());
    json.name("taken").value(tap.taken());
    json.name("leftOut").value(tap.leftOut());
    json.name("recordedShare").value(share);
    List<TapState.Line> lines = tap.lines();
    json.name("last").value(lines.isEmpty() ? tap.taken() : lines.get(lines.size() - 1).number());
    json.name("messages").objects(lines, TapJson::message).endObject();
  }

  private static void message(Json json, TapState.Line line) throws IOException {
    Processing processing = line.processing();
    json.name("number").value(line.number());
    json.name("atMillis").value(processing.startEpochNanos() / 1_000_000);
    json.name("class").value(line.message());
    json.name("actorPath").value(line.actorPath());
    json.name("actorClass").value(line.actorClass());
    json.name("senderPath").orNull(line.senderPath());
    json.name("waitNanos").value(processing.waitNanos());
    json.name("processingNanos").value(processing.nanos());
    json.name("error").orNull(line.error());
    json.name("traceId").value(processing.span().traceHex());
    json.name("spanId").value(processing.span().spanHex());
    json.name("content").value(line.content());
  }
}
