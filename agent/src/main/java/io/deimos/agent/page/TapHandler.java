// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.TapQuery;
import io.deimos.agent.observer.TapState;
import io.deimos.agent.page.PageHandler.BadRequest;
import io.deimos.recorder.actors.PathPattern;
import java.io.IOException;
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
      TapState state = asked.tapped(id, query.number("after", 0, 0, TapQuery.MOST_COUNT));
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
            query.text("class"),
            path(query.text("to")),
            query.number("count", COUNT, 1, TapQuery.MOST_COUNT),
            query.number("rate", PER_SECOND, 1, TapQuery.MOST_PER_SECOND),
            query.number("seconds", SECONDS, 1, TapQuery.MOST_SECONDS));
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

  private static @Nullable PathPattern path(String pattern) {
    try {
      return pattern.isEmpty() ? null : PathPattern.of(pattern, false);
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
