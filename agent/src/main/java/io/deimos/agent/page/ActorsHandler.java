// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.ActorQuery;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.OneActor;
import io.deimos.agent.page.PageHandler.BadRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/actors}: the living actors, or one of them. */
final class ActorsHandler {
  static final String PATH = "/api/v1/actors";

  private static final int MOST_LINES = 500;
  private static final int LINES = 100;
  private static final int MOST_OFFSET = 1 << 25;
  private static final int MOST_WORDS = 8;

  private final @Nullable Observer observer;

  ActorsHandler(@Nullable Observer observer) {
    this.observer = observer;
  }

  void answer(Request request, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      answer.error(
          404, "single actors are not followed: deimos.observer.memory=0, or the page is off");
    } else if (request.path().equals(PATH)) {
      list(asked, Query.of(request.query()), answer);
    } else {
      one(asked, decoded(request.path().substring(PATH.length() + 1)), answer);
    }
  }

  private static void list(Observer observer, Query query, Answer answer) throws IOException {
    ActorQuery wanted = wanted(query);
    int offset = query.number("offset", 0, 0, MOST_OFFSET);
    int limit = query.number("limit", LINES, 1, MOST_LINES);
    ActorPage page = observer.page(wanted, offset, limit);
    answer.json(200, json -> ActorsJson.list(json, observer, page, offset));
  }

  static ActorQuery wanted(Query query) {
    String sort = query.text("sort").isEmpty() ? "-mailbox" : query.text("sort");
    boolean descending = sort.startsWith("-");
    List<String> words =
        Arrays.stream(query.text("q").toLowerCase(Locale.ROOT).split("\\s+"))
            .filter(word -> !word.isEmpty())
            .limit(MOST_WORDS)
            .toList();
    String parent = query.text("parent");
    return new ActorQuery(
        sort(descending ? sort.substring(1) : sort),
        descending,
        words,
        query.text("class"),
        parent,
        !parent.isEmpty() || query.flag("pekko"));
  }

  private static ActorQuery.Sort sort(String word) {
    for (ActorQuery.Sort sort : ActorQuery.Sort.values()) {
      if (sort.word().equals(word)) {
        return sort;
      }
    }
    throw new BadRequest(
        "sort="
            + Printable.shortLine(word)
            + ": must be one of "
            + Arrays.stream(ActorQuery.Sort.values())
                .map(ActorQuery.Sort::word)
                .collect(Collectors.joining(", "))
            + ", with a minus before it for the greatest first");
  }

  private static void one(Observer observer, String id, Answer answer) throws IOException {
    OneActor actor = observer.actor(id);
    if (actor == null) {
      answer.error(
          404,
          "no such actor lives now: "
              + Printable.shortLine(id)
              + ". It may have stopped. An actor is named by its number or by its path,"
              + " URL-encoded: pekko%3A%2F%2Fsystem%2Fuser%2Fa");
    } else {
      answer.json(200, json -> ActorsJson.one(json, actor));
    }
  }

  /** A plus sign in a path is a plus sign. */
  private static String decoded(String encoded) {
    try {
      return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("not URL-encoded: " + Printable.shortLine(encoded));
    }
  }
}
