// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.profile.FlameTree;
import io.deimos.agent.profile.ProfileQuery;
import io.deimos.agent.profile.ProfileResult;
import io.deimos.agent.profile.ProfileTimes;
import io.deimos.agent.routes.Schema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answer of {@code /api/v1/profile}. The tree is in columns, one entry for each node.
 */
final class ProfileJson {
  private static final Schema CAUSE =
      Schema.named("ProfileCause", "The reason of a wait.")
          .with(
              "time",
              Schema.oneOf(List.of("lock", "io", "sleep", "park"), "The part that it counts to."))
          .with("on", Schema.text("The lock and its holder, the address, the file or the class."))
          .with("nanos", Schema.whole("For how long all of them waited."));

  private static final Schema ROW =
      Schema.named("ProfileRow", "A user of time or memory.")
          .with(
              "kind",
              Schema.oneOf(
                  Arrays.stream(ProfileQuery.Kind.values()).map(ProfileQuery.Kind::word).toList(),
                  "Whether that is a message."))
          .with("actorClass", Schema.text("The class of the actor.").orNull())
          .with("messageClass", Schema.text("The class of the message.").orNull())
          .with("part", Schema.text("The part of Pekko, for Pekko's own actors.").orNull())
          .with("samples", Schema.whole("How many samples."))
          .with("share", Schema.number("The share of all samples.").orNull())
          .with(
              "wallNanos",
              Schema.whole("The time of its messages, from start to end, in all threads.").orNull())
          .with("cpuNanos", Schema.whole("Its part on a processor."))
          .with("lockNanos", Schema.whole("Blocked by a lock."))
          .with("ioNanos", Schema.whole("Waiting for sockets and files."))
          .with("sleepNanos", Schema.whole("Asleep."))
          .with("parkNanos", Schema.whole("Parked, or waiting for a notification."))
          .with("gcNanos", Schema.whole("Held up by the collector."))
          .with("restNanos", Schema.whole("The rest of its time.").orNull())
          .with("allocatedBytes", Schema.whole("Bytes of new objects."))
          .with("waitsFor", Schema.list(CAUSE, "The longest first, at most five."));

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
          .with("recordsLost", Schema.whole("Messages that had to go before the samples came."))
          .with("waitsLeftOut", Schema.whole("Waits beyond deimos.profile.waits-per-second."));

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
          .with("total", Schema.list(Schema.whole(""), "As much in it and below: see time."))
          .with("self", Schema.list(Schema.whole(""), "As much in it alone."));

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
              "dividedSeconds",
              Schema.number("For how long the parts of the time of messages are known."))
          .with(
              "waitNanos",
              Schema.whole("How long a wait has to be now to be seen; null if none is.").orNull())
          .with(
              "recordedShare",
              Schema.number(
                      "The share of the messages that has records; the shares of message"
                          + " classes are of these.")
                  .orNull())
          .with("unknown", UNKNOWN)
          .with("rows", Schema.list(ROW, "Those with the most of what was asked for first."))
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
    json.name("dividedSeconds").value(result.dividedSeconds());
    json.name("waitNanos").value(known(result.waitNanos()));
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
              times(to, line.times());
            });
    tree(json, result.tree());
    json.endObject();
  }

  private static void times(Json json, ProfileTimes times) throws IOException {
    boolean isKnown = times.wallNanos() > 0;
    json.name("wallNanos").value(known(times.wallNanos()));
    json.name("cpuNanos").value(times.cpuNanos());
    json.name("lockNanos").value(times.waits().lockNanos());
    json.name("ioNanos").value(times.waits().ioNanos());
    json.name("sleepNanos").value(times.waits().sleepNanos());
    json.name("parkNanos").value(times.waits().parkNanos());
    json.name("gcNanos").value(times.gcNanos());
    json.name("restNanos").value(isKnown ? times.restNanos() : null);
    json.name("allocatedBytes").value(times.allocatedBytes());
    json.name("waitsFor")
        .objects(
            times.causes(),
            (to, cause) -> {
              to.name("time").value(cause.time().word());
              to.name("on").value(cause.on());
              to.name("nanos").value(cause.nanos());
            });
  }

  private static @Nullable Long known(long number) {
    return number == 0 ? null : (Long) number;
  }

  private static void unknown(Json json, ProfileResult.Unknown unknown) throws IOException {
    json.beginObject();
    json.name("withoutStack").value(unknown.withoutStack());
    json.name("lost").value(unknown.lost());
    json.name("nearest").value(unknown.nearest());
    json.name("stacksCut").value(unknown.stacksCut());
    json.name("recordsLost").value(unknown.recordsLost());
    json.name("waitsLeftOut").value(unknown.waitsLeftOut());
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
