// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.Arrays;

/** Writes what requests take of the process, as {@link SystemJson} tells it. */
final class RequestsJson {
  static final Schema SCHEMA =
      Schema.named("Requests", "The cost of requests to the page in this process.")
          .with("searchShare", Schema.number("The share of one core that searches may take."))
          .with(
              "cpu",
              Schema.list(
                  Schema.named("RequestCpu", "The cost of requests of one kind.")
                      .with(
                          "kind",
                          Schema.oneOf(
                              Arrays.stream(Accountant.Kind.values())
                                  .map(Accountant.Kind::word)
                                  .toList(),
                              "requests, searches, streams, otlp, or links for what"
                                  + " the page of another process asks; none counts twice."))
                      .with("requests", Schema.whole("How many have ended."))
                      .with("minuteNanos", Schema.whole("Processor time in the last minute."))
                      .with("nanos", Schema.whole("Processor time since the start."))
                      .with("refused", Schema.whole("How many were refused."))
                      .with("cut", Schema.whole("How many ended before all was looked at."))
                      .with(
                          "cancelled",
                          Schema.whole("How many ended since nobody waited for them.")),
                  "By kind."))
          .with(
              "memory",
              Schema.list(
                  Schema.named("RequestMemory", "The heap that requests take.")
                      .with(
                          "kind",
                          Schema.oneOf(
                              Accountant.MEMORIES,
                              "Answers under way, and bodies of requests on their way in."))
                      .with("bytes", Schema.whole("Taken now."))
                      .with("maxBytes", Schema.whole("The most that was taken at once."))
                      .with("boundBytes", Schema.whole("The bound."))
                      .with("refused", Schema.whole("How often there was too little.")),
                  "By kind."));

  private RequestsJson() {}

  static void writeTo(Json json, Accountant accountant) throws IOException {
    json.beginObject();
    json.name("searchShare").value(accountant.share());
    json.name("cpu").beginArray();
    for (Accountant.Kind kind : Accountant.Kind.values()) {
      Accountant.Taken taken = accountant.taken(kind);
      json.beginObject();
      json.name("kind").value(kind.word());
      json.name("requests").value(taken.requests());
      json.name("minuteNanos").value(taken.minuteNanos());
      json.name("nanos").value(taken.nanos());
      json.name("refused").value(taken.refused());
      json.name("cut").value(taken.cut());
      json.name("cancelled").value(taken.cancelled());
      json.endObject();
    }
    json.endArray().name("memory").beginArray();
    memory(json, Accountant.MEMORIES.get(0), accountant.answers());
    memory(json, Accountant.MEMORIES.get(1), accountant.bodies());
    json.endArray().endObject();
  }

  private static void memory(Json json, String kind, AnswerMemory memory) throws IOException {
    json.beginObject();
    json.name("kind").value(kind);
    json.name("bytes").value(memory.taken());
    json.name("maxBytes").value(memory.greatest());
    json.name("boundBytes").value(memory.bound());
    json.name("refused").value(memory.refused());
    json.endObject();
  }
}
