// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.observer.MapQuery;
import io.deimos.agent.observer.MessageMap;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/map}: who has told whom of late. */
final class MapHandler {
  static final String PATH = "/api/v1/map";

  private static final int SECONDS = 60;
  private static final int MAX_SECONDS = 3600;
  private static final int EDGES = 200;
  private static final int MAX_EDGES = 1000;
  private static final int MAX_OPEN = 8;

  private static final Parameter<Integer> WITHIN =
      Parameter.number("seconds", SECONDS, 1, MAX_SECONDS, "How far back, in seconds.");
  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words with spaces between them. Each has to be part of the sender, the receiver or a"
              + " message class of an edge.");
  private static final Parameter<Set<String>> OPEN =
      Parameter.read(
          "open",
          "Classes and groups whose actors are nodes of their own, with | between"
              + " them. At most 50 actors of each; the others are one node.",
          text ->
              Arrays.stream(text.split("\\|"))
                  .filter(part -> !part.isEmpty())
                  .limit(MAX_OPEN)
                  .collect(Collectors.toSet()));
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", EDGES, 1, MAX_EDGES, "How many edges.");

  static final Route ROUTE =
      Route.at(
              PATH,
              "map",
              "Senders and receivers",
              "Tells who has sent messages to whom of late: nodes are actor classes or groups,"
                  + " edges have rate, waits, failures, message classes and sample traces. Answers:"
                  + " who floods an actor, where messages fail or wait.")
          .note(
              "It is made of the records of messages, and goes back as far as the last messages of"
                  + " all actors are kept. A message without a sender, as typed actors send them,"
                  + " counts as sent by the actor that was processing a message when it was sent.")
          .note("An answer is kept for a second, and for 20 times as long as it took to make.")
          .asks(WITHIN, WORDS, OPEN, LIMIT)
          .answers(MapJson.MAP);

  private final @Nullable Observer observer;
  private final TraceStore store;

  MapHandler(@Nullable Observer observer, TraceStore store) {
    this.observer = observer;
    this.store = store;
  }

  void answer(Call call, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "there is no map: deimos.observer.memory=0, or the page is off");
      return;
    }
    Query query = call.query();
    MapQuery wanted =
        new MapQuery(WITHIN.of(query), WORDS.of(query), OPEN.of(query), LIMIT.of(query));
    MessageMap map = asked.map(wanted, call.scan());
    double share = ActorsJson.recordedShare(asked);
    answer.json(200, json -> MapJson.writeTo(json, map, share, store, call.scan().notLookedAt()));
  }
}
