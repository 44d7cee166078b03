// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TapQuery;
import io.deimos.agent.observer.TapState;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.recorder.actors.PathPattern;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/tap}: opens a tap on the messages to come, and says what it has taken.
 * Each answer is made at once; whoever wants more asks again, so that no thread waits for messages.
 */
final class TapHandler {
  static final String PATH = "/api/v1/tap";

  private static final int COUNT = 50;
  private static final int PER_SECOND = 10;
  private static final int SECONDS = 60;

  private static final Parameter<String> CLASS =
      Parameter.text("class", "The class of the messages, with or without its package; * matches.");
  private static final Parameter<Optional<PathPattern>> TO =
      Parameter.read(
          "to",
          "The path of who gets them, as /user/payments/*: * is one element or part of one, ** at"
              + " the end all below.",
          TapHandler::path);
  private static final Parameter<Integer> MESSAGES =
      Parameter.number("count", COUNT, 1, TapQuery.MAX_COUNT, "How many messages.");
  private static final Parameter<Integer> RATE =
      Parameter.number("rate", PER_SECOND, 1, TapQuery.MAX_PER_SECOND, "How many of each second.");
  private static final Parameter<Integer> LASTS =
      Parameter.number("seconds", SECONDS, 1, TapQuery.MAX_SECONDS, "For how long, in seconds.");
  private static final Parameter<Integer> AFTER =
      Parameter.number("after", 0, 0, TapQuery.MAX_COUNT, "Only messages after this number.");

  static final Route OPEN =
      Route.at(
              PATH,
              "tap",
              "Watch the next messages",
              "Opens a tap on the next messages of a class, to some actors, as they are processed."
                  + " The answer comes at once; what the tap takes is read by tapped, about twice a"
                  + " second, and it ends when nobody has read it for 30 seconds. Four"
                  + " may be open.")
          .note(
              "A fifth tap gets status 503. A tap ends with its last message, when its time is up,"
                  + " after 256 KiB, or if nobody has asked for 30 s. The last eight can still be"
                  + " read.")
          .asks(CLASS, TO, MESSAGES, RATE, LASTS)
          .answers(TapJson.TAP);

  static final Route ONE =
      Route.at(
              PATH + "/{id}",
              "tapped",
              "The messages of a tap",
              "Has the messages that a tap has taken so far, and says whether more can come.")
          .named("The id that tap has given.")
          .asks(AFTER)
          .answers(TapJson.TAP);

  private final @Nullable Observer observer;

  TapHandler(@Nullable Observer observer) {
    this.observer = observer;
  }

  void answer(Request request, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "messages are not followed: deimos.observer.memory=0, or the page is off");
      return;
    }
    Query query = Query.of(request.query());
    if (!request.path().equals(PATH)) {
      String id = request.path().substring(PATH.length() + 1);
      TapState state = asked.tapped(id, AFTER.of(query));
      if (state == null) {
        answer.error(
            404, "no such tap: " + Printable.shortLine(id) + ". It may have made room for others");
      } else {
        write(asked, state, answer);
      }
      return;
    }
    TapQuery wanted =
        new TapQuery(
            CLASS.of(query),
            TO.of(query).orElse(null),
            MESSAGES.of(query),
            RATE.of(query),
            LASTS.of(query));
    TapState opened = asked.tap(wanted);
    if (opened == null) {
      answer.error(
          503,
          Observer.mostTaps()
              + " taps are open, and there may be no more; one ends when it has its messages, when"
              + " its time is up, or 30 s after nobody has asked for it");
    } else {
      write(asked, opened, answer);
    }
  }

  private static Optional<PathPattern> path(String pattern) {
    try {
      return pattern.isEmpty() ? Optional.empty() : Optional.of(PathPattern.of(pattern, false));
    } catch (IllegalArgumentException e) {
      throw new BadRequest(
          "to="
              + Printable.shortLine(pattern)
              + ": "
              + e.getMessage()
              + ", as in /user/payments/*");
    }
  }

  private static void write(Observer observer, TapState state, Answer answer) throws IOException {
    double share = ActorsJson.recordedShare(observer);
    answer.json(200, json -> TapJson.writeTo(json, state, share));
  }
}
