// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.http.Answer;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.WhereQuery;
import io.deimos.agent.observer.Whereabouts;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/where}: what became of a message. */
final class WhereHandler {
  static final String PATH = "/api/v1/where";

  private static final int MATCHES = 50;
  private static final int MAX_MATCHES = 200;

  private static final Parameter<WhereQuery> QUERY =
      Parameter.read(
          "q",
          "Needed. Terms with spaces between them, which all have to hold, at most eight: message:"
              + " part of its class, actor: and sender: part of a path or class, text: part of what"
              + " it says, trace: a trace id. A word without a key may be in any of these. A value"
              + " with spaces stands in double quotes.",
          WhereHandler::wanted);
  private static final Parameter<Integer> LIMIT =
      Parameter.number(
          "limit", MATCHES, 1, MAX_MATCHES, "How many matches; each fate gets its share.");

  static final Route ROUTE =
      Route.at(
              PATH,
              "where",
              "Where is my message?",
              "Tells what became of a message: processed, in a mailbox, stashed, buffered by"
                  + " sharding, on its way to a node, dead, or an ask without an answer; each with"
                  + " a story in words.")
          .note(
              "It looks at what each thread processes, into mailboxes, stashes, buffers of sharding"
                  + " and queues to other nodes, at asks without an answer, at trouble, at records"
                  + " of processed messages, and at kept traces. No actor is asked, and no lock is"
                  + " taken that one may want.")
          .note(
              "A search looks at no more than 1,048,576 records, 20,000 actors, 200,000 messages"
                  + " that wait and 20 traces. 16,384 open asks are kept in all; `notLookedAt` says"
                  + " how many had no place. Asks are known if `deimos.tracing.enabled`. Queues"
                  + " with a lock (of bounded, deque-based and priority mailboxes) are only"
                  + " counted.")
          .asks(QUERY, LIMIT)
          .answers(WhereJson.WHERE);

  private final @Nullable Observer observer;
  private final TraceStore store;

  WhereHandler(@Nullable Observer observer, TraceStore store) {
    this.observer = observer;
    this.store = store;
  }

  void answer(Call call, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(404, "messages are not followed: deimos.observer.memory=0, or the page is off");
      return;
    }
    Query query = call.query();
    String text = query.text("q");
    WhereQuery wanted = QUERY.of(query);
    int limit = LIMIT.of(query);
    Whereabouts found = asked.where(wanted, store, limit, call.scan());
    double share = ActorsJson.recordedShare(asked);
    answer.json(200, json -> WhereJson.writeTo(json, text, found, share));
  }

  private static WhereQuery wanted(String text) {
    return Parameter.terms("q", () -> WhereQuery.of(text));
  }
}
