// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.store.RecordedTraces;
import io.deimos.agent.store.TraceGroups;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the answer of {@code /api/v1/traces/groups}. */
final class TraceGroupsJson {
  private static final int MILLI = 1_000_000;

  static final Schema GROUPS =
      Schema.named("TraceGroups", "Traces added up.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("traces", Schema.whole("How many of those kept match."))
          .with("trouble", Schema.whole("In how many of them something went wrong."))
          .with(
              "recorded",
              Schema.named("RecordedTraces", "All that this process has recorded, kept or not.")
                  .with("sinceMillis", Schema.whole("Since when."))
                  .with("traces", Schema.whole("How many."))
                  .with("trouble", Schema.whole("In how many something went wrong."))
                  .with(
                      "others",
                      Schema.whole("How many have names beyond the 256 that are told apart."))
                  .with("takenShare", Schema.number("New traces that are looked at now.")))
          .with("groupsLeftOut", Schema.whole("How many more names there are."))
          .with("notLookedAt", Schema.NOT_LOOKED_AT)
          .with(
              "groups",
              Schema.list(
                  Schema.named("TraceGroup", "All traces of one name.")
                      .with("name", Schema.text("Their name."))
                      .with("traces", Schema.whole("How many of those kept match."))
                      .with("trouble", Schema.whole("In how many of these something went wrong."))
                      .with("p50Nanos", Schema.whole("Half of these took no longer."))
                      .with("p99Nanos", Schema.whole("99 of 100 of these took no longer."))
                      .with("maxNanos", Schema.whole("The longest of these."))
                      .with(
                          "recorded",
                          Schema.named(
                                  "RecordedGroup",
                                  "All that were recorded, kept or not, whatever the query.")
                              .with("traces", Schema.whole("How many."))
                              .with("trouble", Schema.whole("In how many something went wrong."))
                              .with("measured", Schema.whole("The number of known durations."))
                              .with("p50Nanos", Schema.whole("Half of these took no longer."))
                              .with("p99Nanos", Schema.whole("The same of 99 of 100, about."))
                              .orNull())
                      .with("slowest", Schema.hex(32, "The id of the longest."))
                      .with("lastMillis", Schema.whole("When the last of them began.")),
                  "Those with the most traces first."))
          .with(
              "durations",
              Schema.list(
                  Schema.object("")
                      .with("fromNanos", Schema.whole("The least duration in it."))
                      .with("toNanos", Schema.whole("The least beyond it.").orNull())
                      .with("traces", Schema.whole("How many."))
                      .with("trouble", Schema.whole("In how many something went wrong.")),
                  "By duration, four bins for each power of ten from 1 µs to 1000 s,"
                      + " from the first to the last that has any."))
          .with(
              "times",
              Schema.list(
                  Schema.object("")
                      .with("fromMillis", Schema.whole("The first moment in it."))
                      .with("toMillis", Schema.whole("The first beyond it."))
                      .with("traces", Schema.whole("How many."))
                      .with("trouble", Schema.whole("In how many something went wrong.")),
                  "By when they began, at most 60 bins of the same length."));

  private TraceGroupsJson() {}

  /**
   * @param takenShare the share of new traces that the store takes now
   */
  static void writeTo(
      Json json,
      TraceGroups groups,
      RecordedTraces recorded,
      double takenShare,
      List<String> notLookedAt)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("traces").value(groups.traces());
    json.name("trouble").value(groups.trouble());
    json.name("recorded").beginObject();
    json.name("sinceMillis").value(recorded.sinceEpochNanos() / MILLI);
    json.name("traces").value(recorded.traces());
    json.name("trouble").value(recorded.trouble());
    json.name("others").value(recorded.others());
    json.name("takenShare").value(takenShare);
    json.endObject();
    json.name("groupsLeftOut").value(groups.groupsLeftOut());
    json.name("notLookedAt").values(notLookedAt);
    json.name("groups")
        .objects(
            groups.groups(),
            (to, group) -> {
              to.name("name").value(group.name());
              to.name("traces").value(group.traces());
              to.name("trouble").value(group.trouble());
              to.name("p50Nanos").value(group.p50Nanos());
              to.name("p99Nanos").value(group.p99Nanos());
              to.name("maxNanos").value(group.maxNanos());
              recorded(to.name("recorded"), recorded.byName().get(group.name()));
              to.name("slowest").value(group.slowest());
              to.name("lastMillis").value(group.latestEpochNanos() / MILLI);
            });
    json.name("durations").objects(groups.durations(), TraceGroupsJson::duration);
    json.name("times").objects(groups.times(), TraceGroupsJson::time);
    json.endObject();
  }

  private static void recorded(Json json, RecordedTraces.@Nullable Counted counted)
      throws IOException {
    if (counted == null) {
      json.none();
      return;
    }
    json.beginObject();
    json.name("traces").value(counted.traces());
    json.name("trouble").value(counted.trouble());
    json.name("measured").value(counted.measured());
    json.name("p50Nanos").value(counted.p50Nanos());
    json.name("p99Nanos").value(counted.p99Nanos());
    json.endObject();
  }

  private static void duration(Json json, TraceGroups.Bin bin) throws IOException {
    json.name("fromNanos").value(bin.from());
    json.name("toNanos").value(bin.to() == Long.MAX_VALUE ? null : bin.to());
    counts(json, bin);
  }

  private static void time(Json json, TraceGroups.Bin bin) throws IOException {
    json.name("fromMillis").value(bin.from() / MILLI);
    json.name("toMillis").value(bin.to() / MILLI);
    counts(json, bin);
  }

  private static void counts(Json json, TraceGroups.Bin bin) throws IOException {
    json.name("traces").value(bin.traces());
    json.name("trouble").value(bin.trouble());
  }
}
