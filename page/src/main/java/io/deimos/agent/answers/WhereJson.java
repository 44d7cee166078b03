// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.observer.Fate;
import io.deimos.agent.observer.Sighting;
import io.deimos.agent.observer.Whereabouts;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Writes the answer of {@code /api/v1/where}. An unknown value is null. */
final class WhereJson {
  private static final Schema MATCH =
      Schema.named("WhereMatch", "One message, and what became of it.")
          .with(
              "fate",
              Schema.oneOf(
                  Arrays.stream(Fate.values()).map(Fate::word).toList(),
                  "Its fate. processing: a thread is at it; in_mailbox; stashed; buffered"
                      + " by sharding; outbound: waits to be sent to another node; ask_open: an ask"
                      + " without an answer so far; dead_letter, ask_timeout, ask_failed, stuck,"
                      + " failed: as the kinds of trouble; answered, processed: it went well."))
          .with(
              "story", Schema.text("That in a sentence; of an open ask with where the request is."))
          .with("messageClass", Schema.text("Its class.").orNull())
          .with("actorPath", Schema.text("The receiver.").orNull())
          .with("actorClass", Schema.text("The class of that actor.").orNull())
          .with(
              "senderPath",
              Schema.text(
                      "The sender, or the asker. A typed actor is known from the span in which it"
                          + " sent.")
                  .orNull())
          .with("atMillis", Schema.whole("When that was; of one that waits, since when.").orNull())
          .with("place", Schema.whole("Its position where it waits, from 1.").orNull())
          .with("waitNanos", Schema.whole("For how long it has waited.").orNull())
          .with(
              "processingNanos",
              Schema.whole("For how long it was processed; of an ask, since it was asked.")
                  .orNull())
          .with("timeoutNanos", Schema.whole("The time-out of an open ask.").orNull())
          .with("traceId", Schema.hex(32, "Its trace.").orNull())
          .with("spanId", Schema.hex(16, "Its span, or that in which it was sent.").orNull())
          .with(
              "content",
              Schema.text("Its content, for classes in deimos.content.messages, redacted as set.")
                  .orNull())
          .with("troubleId", Schema.text("The group of trouble that tells more.").orNull())
          .with("node", Schema.text("The process whose span this is, if another.").orNull());

  private static final Schema LOOKED =
      Schema.named("WhereLooked", "How much was looked at.")
          .with("records", Schema.whole("Messages that had been processed."))
          .with("sinceMillis", Schema.whole("When the first of them began.").orNull())
          .with(
              "recordedShare",
              Schema.number("The share of the messages that has records.").orNull())
          .with("actors", Schema.whole("Actors whose mailboxes and stashes were looked into."))
          .with("waiting", Schema.whole("Messages that waited."))
          .with("asks", Schema.whole("Asks without an answer."))
          .with("troubles", Schema.whole("Examples of what went wrong."))
          .with("traces", Schema.whole("Traces that match."));

  static final Schema WHERE =
      Schema.named("Where", "The fates of the messages that match.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("query", Schema.text("The query."))
          .with("total", Schema.whole("How many match."))
          .with("fates", Schema.map(Schema.whole(""), "How many of each fate."))
          .with(
              "matches",
              Schema.list(
                  MATCH,
                  "Those that can still change, then those that went wrong, then the"
                      + " others; in each the latest first."))
          .with("looked", LOOKED)
          .with("notLookedAt", Schema.NOT_LOOKED_AT);

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
    json.name("matches").objects(found.sightings(), WhereJson::match);
    looked(json.name("looked"), found.looked(), share);
    json.name("notLookedAt").values(found.notLookedAt()).endObject();
  }

  private static void match(Json json, Sighting of) throws IOException {
    Sighting.Parties parties = of.parties();
    Sighting.Times times = of.times();
    Long at = times.atEpochNanos();
    SpanRef span = of.span();
    json.name("fate").value(of.fate().word());
    json.name("story").value(of.story());
    json.name("messageClass").value(parties.message());
    json.name("actorPath").value(parties.actorPath());
    json.name("actorClass").value(parties.actorClass());
    json.name("senderPath").value(parties.senderPath());
    json.name("atMillis").value(at == null ? null : at / 1_000_000);
    json.name("place").value(times.place());
    json.name("waitNanos").value(times.waitNanos());
    json.name("processingNanos").value(times.nanos());
    json.name("timeoutNanos").value(times.timeoutNanos());
    json.name("traceId").value(span == null ? null : span.traceHex());
    json.name("spanId").value(span == null || span.spanId() == 0 ? null : span.spanHex());
    json.name("content").value(of.content());
    json.name("troubleId").value(of.troubleId());
    json.name("node").value(of.node());
  }

  private static void looked(Json json, Whereabouts.Looked looked, double share)
      throws IOException {
    json.beginObject();
    json.name("records").value(looked.records());
    long since = looked.sinceEpochNanos() / 1_000_000;
    json.name("sinceMillis").value(since == 0 ? null : since);
    json.name("recordedShare").value(share);
    json.name("actors").value(looked.actors());
    json.name("waiting").value(looked.waiting());
    json.name("asks").value(looked.asks());
    json.name("troubles").value(looked.troubles());
    json.name("traces").value(looked.traces());
    json.endObject();
  }
}
