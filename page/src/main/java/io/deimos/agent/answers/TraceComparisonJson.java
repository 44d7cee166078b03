// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.store.TraceComparison;
import java.io.IOException;
import java.util.List;

/** Writes the answer of {@code /api/v1/traces/compare}. */
final class TraceComparisonJson {
  private static final Schema FIELD =
      Schema.text(
          "The name of an attribute, after resource. for one of the process; or name (of a span),"
              + " event, node.");
  private static final Schema VALUE =
      Schema.text(
          "Its value, texts cut to 200 characters; of node the id, empty for this process.");

  static final Schema COMPARISON =
      Schema.named("TraceComparison", "Some traces against the others of the same name.")
          .with("name", Schema.text("The name of all traces compared."))
          .with("selected", Schema.whole("How many of those that match were compared."))
          .with("rest", Schema.whole("How many others were."))
          .with("otherNames", Schema.whole("Traces that match and have other names: not compared."))
          .with(
              "reduced",
              Schema.whole(
                  "Traces of which only their trouble is left, to save room: not compared."))
          .with(
              "fieldsCut",
              Schema.list(
                  Schema.text(""),
                  "Fields with more values than are told apart: some are missing."))
          .with("notLookedAt", Schema.NOT_LOOKED_AT)
          .with("differencesLeftOut", Schema.whole("How many more values differ."))
          .with(
              "differences",
              Schema.list(
                  Schema.named("TraceDifference", "A value that one side has more often.")
                      .with("field", FIELD)
                      .with("value", VALUE)
                      .with(
                          "also",
                          Schema.list(
                              Schema.named("TraceValue", "A value that a trace has.")
                                  .with("field", FIELD)
                                  .with("value", VALUE),
                              "Values that the very same traces have."))
                      .with("alsoLeftOut", Schema.whole("How many more of these."))
                      .with("selected", Schema.whole("How many of those that match have it."))
                      .with("selectedShare", Schema.number("The same as a share, in [0, 1]."))
                      .with("rest", Schema.whole("How many of the others have it."))
                      .with("restShare", Schema.number("The same as a share, in [0, 1]."))
                      .with(
                          "certain",
                          Schema.number(
                              "By how much the shares differ at least; negative if the others have"
                                  + " it more often."))
                      .with(
                          "example",
                          Schema.hex(32, "A trace with it, of the side that has it more often.")),
                  "The surest first."));

  private TraceComparisonJson() {}

  static void writeTo(Json json, TraceComparison compared, List<String> notLookedAt)
      throws IOException {
    json.beginObject();
    json.name("name").value(compared.name());
    json.name("selected").value(compared.selected());
    json.name("rest").value(compared.rest());
    json.name("otherNames").value(compared.leftOut().otherNames());
    json.name("reduced").value(compared.leftOut().reduced());
    json.name("fieldsCut").values(compared.leftOut().fields());
    json.name("notLookedAt").values(notLookedAt);
    json.name("differencesLeftOut").value(compared.leftOut().differences());
    json.name("differences")
        .objects(
            compared.differences(),
            (to, one) -> {
              value(to, one.value());
              to.name("also").objects(one.also(), TraceComparisonJson::value);
              to.name("alsoLeftOut").value(one.alsoLeftOut());
              to.name("selected").value(one.selected());
              to.name("selectedShare").value((double) one.selected() / compared.selected());
              to.name("rest").value(one.rest());
              to.name("restShare").value((double) one.rest() / compared.rest());
              to.name("certain").value(one.certain());
              to.name("example").value(one.example());
            });
    json.endObject();
  }

  private static void value(Json json, TraceComparison.Value one) throws IOException {
    json.name("field").value(one.field());
    json.name("value").value(one.value());
  }
}
