// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.ThreadTable;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.recorder.trouble.AtWork;
import java.io.IOException;
import java.util.List;

/** Answers {@code /api/v1/threads}: dispatchers with their threads, or the stack of one thread. */
final class ThreadsHandler {
  static final String PATH = "/api/v1/threads";

  private static final int MAX_LINES = ThreadTable.MAX_THREADS;

  private static final Parameter<Boolean> BUSY =
      Parameter.flag("busy", "Only threads that process a message.");
  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words with spaces between them. Each has to be part of the thread's name, or of the"
              + " actor's path, its class or the message's class.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", MAX_LINES, 1, MAX_LINES, "How many threads.");

  static final Route LIST =
      Route.at(
              PATH,
              "threads",
              "The dispatchers and their threads",
              "Lists the dispatchers with their threads, and what each thread does now: which actor"
                  + " processes which message, and for how long. Answers: is a dispatcher starving,"
                  + " and what holds its threads.")
          .asks(BUSY, WORDS, LIMIT)
          .answers(ThreadsJson.TABLE);

  static final Route ONE =
      Route.at(
              PATH + "/{id}",
              "thread",
              "Where a thread is",
              "Tells the stack of one thread of a dispatcher, as it is now.")
          .named("The thread's id, as the list of threads has it.")
          .answers(ThreadsJson.STACK);

  private ThreadsHandler() {}

  private static boolean matches(ThreadTable.Line line, List<SearchTerm> words) {
    AtWork work = line.work();
    String text =
        work == null
            ? line.name()
            : String.join(
                " ", line.name(), work.actor().path(), work.actor().className(), work.message());
    return words.stream().allMatch(word -> word.isIn(text));
  }

  static void list(Call call, Answer answer) throws IOException {
    Query query = call.query();
    boolean busy = BUSY.of(query);
    int limit = LIMIT.of(query);
    List<SearchTerm> words = WORDS.of(query);
    ThreadTable table =
        ThreadTable.now(line -> (!busy || line.work() != null) && matches(line, words), limit);
    answer.json(200, json -> ThreadsJson.table(json, table));
  }

  static void one(Call call, Answer answer) throws IOException {
    String id = call.id();
    StackTraceElement[] stack =
        id.matches("[0-9]{1,18}") ? ThreadTable.stack(Long.parseLong(id)) : null;
    if (stack == null) {
      answer.error(
          404,
          "no such thread of a dispatcher: "
              + Printable.shortLine(id)
              + ". It may have ended. A thread is named by its id, as /api/v1/threads has it");
      return;
    }
    answer.json(200, json -> ThreadsJson.stack(json, stack));
  }
}
