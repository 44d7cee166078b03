// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.observer.ThreadTable;
import io.deimos.recorder.trouble.AtWork;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Answers {@code /api/v1/threads}: dispatchers with their threads, or the stack of one thread. */
final class ThreadsHandler {
  static final String PATH = "/api/v1/threads";

  private static final int MOST_LINES = ThreadTable.MOST_THREADS;

  private ThreadsHandler() {}

  private static boolean matches(ThreadTable.Line line, List<String> words) {
    AtWork work = line.work();
    String text =
        work == null
            ? line.name()
            : String.join(
                " ",
                line.name(),
                work.actor().path(),
                work.actor().kind().className(),
                work.message());
    String lower = text.toLowerCase(Locale.ROOT);
    return words.stream().allMatch(lower::contains);
  }

  static boolean takes(String path) {
    return path.equals(PATH) || path.startsWith(PATH + "/");
  }

  static void answer(Request request, Answer answer) throws IOException {
    if (request.path().equals(PATH)) {
      Query query = Query.of(request.query());
      boolean busy = query.flag("busy");
      int limit = query.number("limit", MOST_LINES, 1, MOST_LINES);
      List<String> words = List.of(query.text("q").toLowerCase(Locale.ROOT).split("\\s+"));
      ThreadTable table =
          ThreadTable.now(line -> (!busy || line.work() != null) && matches(line, words), limit);
      answer.json(200, json -> ThreadsJson.table(json, table));
      return;
    }
    String id = request.path().substring(PATH.length() + 1);
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
