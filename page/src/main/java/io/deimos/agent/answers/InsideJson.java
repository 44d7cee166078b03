// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.housekeeping.ActorInside;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** Writes the answer of {@code /api/v1/inside}. An unknown value is null. */
final class InsideJson {
  static final Schema INSIDE =
      Schema.named("Inside", "The inside of one actor.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with(
              "waiting",
              Schema.flag(
                  "Whether the actor's thread has not come to it within a second, since it"
                      + " processes a message; then only asks are known. Ask again."))
          .with(
              "notRead",
              Schema.list(Schema.text(""), "The parts that were not read, a sentence each."))
          .with(
              "state",
              Schema.list(
                      Schema.text(""),
                      "Its fields, or those of the objects in its behaviour, a line each; null if"
                          + " deimos.content.state does not name its class, or the redactor shows"
                          + " nothing.")
                  .orNull())
          .with(
              "entries",
              Schema.list(
                  Schema.named("InsideEntry", "A timer, a watch, a child, an ask.")
                      .with(
                          "kind",
                          Schema.oneOf(
                              Arrays.stream(ActorInside.Kind.values())
                                  .map(InsideJson::word)
                                  .toList(),
                              "Its kind; delivery is a message that at-least-once delivery sends"
                                  + " again until it is confirmed."))
                      .with(
                          "name",
                          Schema.text("The key of a timer, or the path of an actor.").orNull())
                      .with("message", Schema.text("The class of the message.").orNull())
                      .with("detail", Schema.text("More, in words.").orNull())
                      .with(
                          "nanos",
                          Schema.whole(
                                  "The receive time-out, or for how long an ask has had no"
                                      + " answer.")
                              .orNull()),
                  "At most 50 of each kind."));

  private InsideJson() {}

  private static String word(ActorInside.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  static void writeTo(Json json, ActorInside inside) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("waiting").value(inside.isWaiting());
    json.name("notRead").values(inside.notRead());
    String state = inside.state();
    if (state == null) {
      json.name("state").value((String) null);
    } else {
      json.name("state").values(state.lines().toList());
    }
    json.name("entries").objects(inside.entries(), InsideJson::entry).endObject();
  }

  private static void entry(Json json, ActorInside.Entry entry) throws IOException {
    json.name("kind").value(word(entry.kind()));
    json.name("name").orNull(entry.name());
    json.name("message").orNull(entry.message());
    json.name("detail").orNull(entry.detail());
    json.name("nanos").value(entry.nanos() < 0 ? null : entry.nanos());
  }
}
