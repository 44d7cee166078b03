// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.profile.FlameTree;
import io.deimos.agent.profile.PprofFile;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.profile.ProfileQuery;
import io.deimos.agent.profile.ProfileResult;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/profile}: which classes of messages take the processor, wait and allocate,
 * and where. Each request has the profile made for a while longer.
 */
final class ProfileHandler {
  static final String PATH = "/api/v1/profile";

  private static final int SECONDS = 60;
  private static final int MAX_SECONDS = 600;
  private static final int NODES = 2000;
  private static final int MAX_NODES = 20_000;

  private static final Parameter<Integer> WITHIN =
      Parameter.number("seconds", SECONDS, 1, MAX_SECONDS, "How far back, in seconds.");
  private static final Parameter<String> KIND =
      Parameter.oneOf(
          "kind",
          ProfileQuery.Kind.MESSAGE.word(),
          Arrays.stream(ProfileQuery.Kind.values()).map(ProfileQuery.Kind::word).toList(),
          "The samples for the tree.");
  private static final Parameter<String> TIME =
      Parameter.oneOf(
          "time",
          ProfileQuery.Time.CPU.word(),
          Arrays.stream(ProfileQuery.Time.values()).map(ProfileQuery.Time::word).toList(),
          "The tree's unit, and the order of rows: samples of threads that run, nanoseconds of all"
              + " waits or of one kind, or bytes.");
  private static final Parameter<String> CLASS =
      Parameter.text(
          "class",
          "Only messages to actors of this class: the full name, or its end after a . or" + " $.");
  private static final Parameter<String> MESSAGE =
      Parameter.text("message", "Only messages of this class, likewise.");
  private static final Parameter<String> SPAN =
      Parameter.text("span", "Only the message with this span: 16 hexadecimal digits.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number(
          "limit", NODES, 1, MAX_NODES, "How many nodes of the tree: those with the most samples.");

  static final Route ROUTE =
      Route.at(
              PATH,
              "profile",
              "Messages by processor time, waits and allocation",
              "Tells which classes of messages take the processor, for what they wait (a lock and who"
                  + " holds it, an address, a file), and what they allocate, and in which methods,"
                  + " from events of the JVM. Each request has it made for a while longer, so ask"
                  + " again after some seconds.")
          .note(
              """
              The JVM's flight recorder samples stacks, and Deimos joins each sample with the record\
               of the message that its thread was processing at that moment, so no message pays.\
               A request keeps the profile on for 15 seconds; `deimos.profile.enabled` keeps it on\
               all the time. The first samples come after two to three seconds. At most 65,536 are\
               kept. Without tracing or a flight recorder, the status is 404.

              | `kind` | a sample |
              |---|---|
              | `message` | in the processing of a message with a record, or that is still being processed |
              | `pekko` | in one of Pekko's own actors, which has no record: `part` is `streams`, `HTTP`, `TCP and DNS`, `remoting`, `sharding`, `cluster` or `persistence`. Your own stages run in those of streams and HTTP |
              | `unrecorded` | in another message without a record: not sampled, not traced, on a virtual thread, or lost |
              | `dispatcher` | on a thread that processes messages, between two of them |
              | `other` | on any other thread |

              The time of a message class has parts that do not overlap: `cpuNanos` (samples of 10 ms),\
               `lockNanos` (a monitor, or a lock of `java.util.concurrent`), `ioNanos` (sockets and files),\
               `sleepNanos`, `parkNanos` (parked, or in `Object.wait`), `gcNanos` (pauses of the collector)\
               and `restNanos`: waits for a processor, waits shorter than `waitNanos`, native code.\
               They come about three seconds after the message has ended, and only for `dividedSeconds`.\
               `waitsFor` has the five longest: of a monitor also the message during which its last\
               owner held it, as far as that is known. Waits outside of messages are left out. If\
               more waits come than `deimos.profile.waits-per-second`, `waitNanos` grows, and those\
               beyond the limit are counted.

              `format` makes a file of the whole tree: `collapsed` (a stack a line), `speedscope`, or `pprof`\
               (which Grafana, Pyroscope, Parca and `go tool pprof` read; OTLP's signal of profiles is\
               not stable yet).

              Native code, GC and compiler threads are not sampled. A stack is read a little after the\
               moment it counts for: among very short messages the shares are right, and the flame\
               graph of one may have frames of the next.\
              """)
          .asks(WITHIN, KIND, TIME, CLASS, MESSAGE, SPAN, LIMIT)
          .answers(ProfileJson.PROFILE);

  private final @Nullable Profile profile;
  private final @Nullable Observer observer;

  ProfileHandler(PageSource source) {
    this.profile = source.profile();
    this.observer = source.observer();
  }

  private static long span(String id) {
    if (id.isEmpty()) {
      return 0;
    }
    if (!id.matches("[0-9a-fA-F]{16}") || id.matches("0+")) {
      throw new BadRequest(
          "span=" + Printable.shortLine(id) + ": must be the id of a span, 16 hexadecimal digits");
    }
    return Long.parseUnsignedLong(id, 16);
  }

  void answer(Request request, Answer answer) throws IOException {
    Profile asked = profile;
    if (asked == null) {
      answer.error(404, "there is no profile: the page is off");
      return;
    }
    Query query = Query.of(request.query());
    ProfileQuery wanted =
        new ProfileQuery(
            WITHIN.of(query),
            ProfileQuery.Kind.valueOf(KIND.of(query).toUpperCase(Locale.ROOT)),
            CLASS.of(query),
            MESSAGE.of(query),
            span(SPAN.of(query)),
            ProfileQuery.Time.valueOf(TIME.of(query).toUpperCase(Locale.ROOT)));
    String format = query.text("format");
    int limit = LIMIT.of(query);
    try {
      ProfileResult result = asked.ask(wanted);
      FlameTree whole = result.tree();
      switch (format) {
        case "", "json" -> {
          ProfileResult part = result.cut(limit);
          double share = observer == null ? Double.NaN : ActorsJson.recordedShare(observer);
          answer.json(200, json -> ProfileJson.writeTo(json, part, share));
        }
        case "collapsed" ->
            answer.text("deimos-profile.collapsed.txt", out -> ProfileFiles.collapsed(whole, out));
        case "pprof" ->
            answer.packedBytes(
                "deimos-profile.pb.gz", out -> PprofFile.write(result, wanted.time(), out));
        case "speedscope" -> answer.json(200, json -> ProfileFiles.speedscope(whole, json));
        default ->
            throw new BadRequest(
                "format="
                    + Printable.shortLine(format)
                    + ": must be json, collapsed, speedscope or pprof");
      }
    } catch (Profile.UnavailableException e) {
      answer.error(404, "there is no profile: " + e.why());
    }
  }
}
