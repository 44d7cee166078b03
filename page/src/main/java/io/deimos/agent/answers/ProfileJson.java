// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.profile.FlameTree;
import io.deimos.agent.profile.ProfileQuery;
import io.deimos.agent.profile.ProfileResult;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Writes the answer of {@code /api/v1/profile}. The tree is in columns, one entry for each node.
 */
final class ProfileJson {
  private static final Schema ROW =
      Schema.named("ProfileRow", "A user of the processor.")
          .with(
              "kind",
              Schema.oneOf(
                  Arrays.stream(ProfileQuery.Kind.values()).map(ProfileQuery.Kind::word).toList(),
                  "Whether that is a message."))
          .with("actorClass", Schema.text("The class of the actor.").orNull())
          .with("messageClass", Schema.text("The class of the message.").orNull())
          .with("part", Schema.text("The part of Pekko, for Pekko's own actors.").orNull())
          .with("samples", Schema.whole("How many samples."))
          .with("share", Schema.number("The share of all samples.").orNull());

  private static final Schema UNKNOWN =
      Schema.named("ProfileUnknown", "Unknown things since the profile began.")
          .with("withoutStack", Schema.whole("Samples whose stack could not be read."))
          .with("lost", Schema.whole("Samples for which there was no room."))
          .with(
              "nearest",
              Schema.whole(
                  "Samples that no kept record spans, counted to the nearest one within 131"
                      + " µs: at the border of two messages, or among messages shorter than that,"
                      + " of which those are kept that a line each 131 µs meets."))
          .with("stacksCut", Schema.whole("Stacks that end early: 6 MiB are full."))
          .with("recordsLost", Schema.whole("Messages that had to go before the samples came."));

  private static final Schema TREE =
      Schema.named(
              "ProfileTree",
              "The tree of calls, in columns: an entry for each node. The two uppermost levels"
                  + " of messages are the actor class and the message class; the frames that call"
                  + " the actor are left out.")
          .with("nodesLeftOut", Schema.whole("Nodes beyond the limit."))
          .with(
              "frames",
              Schema.list(Schema.text(""), "The frames, to which the column frame points."))
          .with(
              "parent",
              Schema.list(Schema.whole(""), "The node above; -1 for the root, which is node 0."))
          .with("frame", Schema.list(Schema.whole(""), "The method, class or message."))
          .with("total", Schema.list(Schema.whole(""), "Samples in it and below."))
          .with("self", Schema.list(Schema.whole(""), "Samples in it alone."));

  static final Schema PROFILE =
      Schema.named("Profile", "Samples by class of message, and as a tree.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("state", Schema.oneOf(List.of("starting", "on"), "Whether there are samples."))
          .with(
              "event",
              Schema.text(
                      "jdk.CPUTimeSample, by CPU time, where the JVM has it (JDK 25 on Linux); else"
                          + " jdk.ExecutionSample, of at most five threads at a time that run Java"
                          + " code, whether or not they have a processor.")
                  .orNull())
          .with(
              "seconds",
              Schema.number(
                  "For how long there are samples: less than was asked for if the profile has"
                      + " not been on for so long."))
          .with("samples", Schema.whole("How many there are."))
          .with(
              "recordedShare",
              Schema.number(
                      "The share of the messages that has records; the shares of message"
                          + " classes are of these.")
                  .orNull())
          .with("unknown", UNKNOWN)
          .with("rows", Schema.list(ROW, "The greatest share first."))
          .with("tree", TREE);

  private ProfileJson() {}

  /**
   * Writes a profile.
   *
   * @param recordedShare of all messages that have records; NaN if it is not known
   */
  static void writeTo(Json json, ProfileResult result, double recordedShare) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("state").value(result.event().isEmpty() ? "starting" : "on");
    json.name("event").orNull(result.event());
    json.name("seconds").value(result.seconds());
    json.name("samples").value(result.samples());
    json.name("recordedShare").value(recordedShare);
    unknown(json.name("unknown"), result.unknown());
    json.name("rows")
        .objects(
            result.lines(),
            (to, line) -> {
              to.name("kind").value(line.kind().word());
              to.name("actorClass").orNull(line.actorClass());
              to.name("messageClass").orNull(line.messageClass());
              to.name("part").orNull(line.part());
              to.name("samples").value(line.samples());
              to.name("share").value((double) line.samples() / result.samples());
            });
    tree(json, result.tree());
    json.endObject();
  }

  private static void unknown(Json json, ProfileResult.Unknown unknown) throws IOException {
    json.beginObject();
    json.name("withoutStack").value(unknown.withoutStack());
    json.name("lost").value(unknown.lost());
    json.name("nearest").value(unknown.nearest());
    json.name("stacksCut").value(unknown.stacksCut());
    json.name("recordsLost").value(unknown.recordsLost());
    json.endObject();
  }

  private static void tree(Json json, FlameTree tree) throws IOException {
    json.name("tree").beginObject();
    json.name("nodesLeftOut").value(tree.leftOut());
    json.name("frames").values(tree.frames());
    column(json.name("parent"), tree, tree::parent);
    column(json.name("frame"), tree, tree::frame);
    column(json.name("total"), tree, tree::total);
    column(json.name("self"), tree, tree::self);
    json.endObject();
  }

  private static void column(Json json, FlameTree tree, IntToLongFunction of) throws IOException {
    json.beginArray();
    for (int node = 0; node < tree.size(); node++) {
      json.value(of.applyAsLong(node));
    }
    json.endArray();
  }
}
