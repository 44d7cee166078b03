// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.WhereQuery;
import io.deimos.agent.observer.Whereabouts;
import io.deimos.agent.page.PageHandler.BadRequest;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/where}: what became of a message. */
final class WhereHandler {
  static final String PATH = "/api/v1/where";

  private static final int MATCHES = 50;
  private static final int MOST_MATCHES = 200;

  private final @Nullable Observer observer;
  private final TraceStore store;

  WhereHandler(@Nullable Observer observer, TraceStore store) {
    this.observer = observer;
    this.store = store;
  }

  void answer(Request request, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "messages are not followed: deimos.observer.memory=0, or the page is off");
      return;
    }
    Query query = Query.of(request.query());
    String text = query.text("q");
    WhereQuery wanted = wanted(text);
    int limit = query.number("limit", MATCHES, 1, MOST_MATCHES);
    Whereabouts found = asked.where(wanted, store, limit);
    if (found == null) {
      answer.error(
          503,
          "searches have taken more than a twentieth of a core; ask again in "
              + asked.secondsToNextSearch()
              + " s");
      return;
    }
    double share = ActorsJson.recordedShare(asked);
    answer.json(200, json -> WhereJson.writeTo(json, text, found, share));
  }

  private static WhereQuery wanted(String text) {
    try {
      return WhereQuery.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("q: " + Printable.shortLine(String.valueOf(e.getMessage())));
    }
  }
}
