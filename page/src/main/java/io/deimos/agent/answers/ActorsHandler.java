// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.check.Checks;
import io.deimos.agent.http.Answer;
import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.ActorQuery;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.OneActor;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.recorder.housekeeping.ActorInside;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/actors}: the living actors, or one of them. */
final class ActorsHandler {
  static final String PATH = "/api/v1/actors";

  private static final int MAX_LINES = 500;
  private static final int LINES = 100;
  private static final int MAX_OFFSET = 1 << 25;
  private static final String BY_MAILBOX = "-mailbox";

  private static final Parameter<String> SORT =
      Parameter.oneOf(
          "sort",
          BY_MAILBOX,
          Stream.of("", "-")
              .flatMap(
                  sign -> Arrays.stream(ActorQuery.Sort.values()).map(sort -> sign + sort.word()))
              .toList(),
          "Their order; with a minus before it, the greatest first.");
  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words with spaces between them. Each has to be part of the path or of the class,"
              + " whatever the case.");
  private static final Parameter<String> CLASS =
      Parameter.text(
          "class",
          "Only actors of this class, with or without its package; other for all that are counted"
              + " together under that name.");
  private static final Parameter<String> GROUP =
      Parameter.text("group", "Only actors of this group of paths, see deimos.metrics.groups.");
  private static final Parameter<String> PARENT =
      Parameter.text("parent", "Only the children of the actor with this path.");
  private static final Parameter<Boolean> PEKKO =
      Parameter.flag(
          "pekko", "Pekko's own actors, too. Children of a parent are always listed all.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", LINES, 1, MAX_LINES, "How many.");
  private static final Parameter<Integer> OFFSET =
      Parameter.number(
          "offset", 0, 0, MAX_OFFSET, "How many of the list are left out before them.");

  static final Route LIST =
      Route.at(
              PATH,
              "actors",
              "The living actors",
              "Lists the living actors of the application with mailbox, rate, busy share, waits,"
                  + " failures and restarts. Answers: which actor is slow or busy, which has the"
                  + " longest mailbox, which one fails, whose mailboxes grow and when the heap is"
                  + " full.")
          .note("An order is kept for a second, and for 20 times as long as it took to make.")
          .asks(SORT, WORDS, CLASS, GROUP, PARENT, PEKKO, LIMIT, OFFSET)
          .answers(ActorsJson.LIST);

  static final Route ONE =
      Route.at(
              PATH + "/{id}",
              "actor",
              "One living actor",
              "Tells all that is known of one living actor: its dispatcher and mailbox, what it"
                  + " does now, its last messages with sender, wait and time, who writes to it, and"
                  + " whom it writes to.")
          .named("The actor's number, or its path, such as pekko://shop/user/cart.")
          .answers(ActorsJson.ONE);

  static final Route INSIDE =
      Route.at(
              "/api/v1/inside/{id}",
              "inside",
              "The inside of an actor",
              "Tells what one living actor has inside: its timers, its receive time-out, the"
                  + " actors that it watches and that watch it, its children, its asks without an"
                  + " answer, what it delivers again, and its state if that is allowed. Answers: what"
                  + " does this actor hold, and what does it wait for.")
          .named("The actor's number, or its path, such as pekko://shop/user/cart.")
          .note(
              "The actor's own thread reads it, after the message that it processes, or at once. No"
                  + " code of the application is called, and no message is sent. Keys that are no"
                  + " plain values, and messages, are told by their class. 20 actors a second are"
                  + " looked into. Tasks that an actor gives to the system's scheduler are not"
                  + " known. The state has the fields of classes that deimos.content.state names,"
                  + " shown by the redactor; at most 500 values, five levels deep, and 20 items of a"
                  + " collection.")
          .answers(InsideJson.INSIDE);

  private final @Nullable Observer observer;
  private final @Nullable Checks checks;

  ActorsHandler(@Nullable Observer observer, @Nullable Checks checks) {
    this.observer = observer;
    this.checks = checks;
  }

  void list(Call call, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      notFollowed(answer);
      return;
    }
    Query query = call.query();
    ActorQuery wanted = wanted(query);
    int offset = OFFSET.of(query);
    ActorPage page = asked.page(wanted, offset, LIMIT.of(query), call.scan());
    answer.json(
        200, json -> ActorsJson.list(json, asked, checks, page, offset, call.scan().notLookedAt()));
  }

  private static void notFollowed(Answer answer) {
    answer.error(
        404, "single actors are not followed: deimos.observer.memory=0, or the page is off");
  }

  static ActorQuery wanted(Query query) {
    String sort = SORT.of(query);
    boolean descending = sort.startsWith("-");
    String parent = PARENT.of(query);
    return new ActorQuery(
        ActorQuery.Sort.valueOf((descending ? sort.substring(1) : sort).toUpperCase(Locale.ROOT)),
        descending,
        WORDS.of(query),
        CLASS.of(query),
        GROUP.of(query),
        parent,
        PEKKO.of(query) || !parent.isEmpty());
  }

  void one(Call call, Answer answer) throws IOException {
    Observer asked = observer;
    if (asked == null) {
      notFollowed(answer);
      return;
    }
    String id = call.decodedId();
    OneActor actor = asked.actor(id, call.scan());
    if (actor == null) {
      noSuchActor(id, answer);
    } else {
      answer.json(200, json -> ActorsJson.one(json, actor));
    }
  }

  void inside(Call call, Answer answer) throws IOException {
    if (observer == null) {
      notFollowed(answer);
      return;
    }
    String id = call.decodedId();
    ActorInside inside = Observer.inside(id, call.scan());
    if (inside == null) {
      noSuchActor(id, answer);
    } else {
      answer.json(200, json -> InsideJson.writeTo(json, inside));
    }
  }

  private static void noSuchActor(String id, Answer answer) {
    answer.error(
        404,
        "no such actor lives now: "
            + Printable.shortLine(id)
            + ". It may have stopped. An actor is named by its number or by its path,"
            + " URL-encoded: pekko%3A%2F%2Fsystem%2Fuser%2Fa");
  }
}
