// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.observer.MapQuery;
import io.deimos.agent.observer.MessageMap;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/map}: who has told whom of late. */
final class MapHandler {
  static final String PATH = "/api/v1/map";

  private static final int SECONDS = 60;
  private static final int MOST_SECONDS = 3600;
  private static final int EDGES = 200;
  private static final int MOST_EDGES = 1000;
  private static final int MOST_WORDS = 8;
  private static final int MOST_OPEN = 8;

  private final @Nullable Observer observer;
  private final TraceStore store;

  MapHandler(@Nullable Observer observer, TraceStore store) {
    this.observer = observer;
    this.store = store;
  }

  void answer(Request request, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "there is no map: deimos.observer.memory=0, or the page is off");
      return;
    }
    Query query = Query.of(request.query());
    MapQuery wanted =
        new MapQuery(
            query.number("seconds", SECONDS, 1, MOST_SECONDS),
            parts(query.text("q").toLowerCase(Locale.ROOT), "\\s+").limit(MOST_WORDS).toList(),
            parts(query.text("open"), "\\|").limit(MOST_OPEN).collect(Collectors.toSet()),
            query.number("limit", EDGES, 1, MOST_EDGES));
    MessageMap map = asked.map(wanted);
    double share = ActorsJson.recordedShare(asked);
    answer.json(200, json -> MapJson.writeTo(json, map, share, store));
  }

  private static Stream<String> parts(String text, String between) {
    return Arrays.stream(text.split(between)).filter(part -> !part.isEmpty());
  }
}
