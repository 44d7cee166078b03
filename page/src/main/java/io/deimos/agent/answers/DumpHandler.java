// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.http.Answer;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageAccess;
import java.io.IOException;

/** Answers {@code /api/v1/dump} for who sends the token of this process: it is everything. */
final class DumpHandler {
  static final String PATH = "/api/v1/dump";

  static final Route ROUTE =
      Route.at(
              PATH,
              "dump",
              "All that the page knows",
              "All that the page knows, as one file of JSON, packed with gzip. It always needs the"
                  + " token.")
          .note(
              "With `deimos.page.access = open` and `deimos.page.control = off` there is no token,"
                  + " and the status is 403. A process that has joined a page does not pass on a"
                  + " dump of itself.")
          .note(
              "It has `deimosDump`, the version of its form; `madeAtMillis`; and `answers` by path:"
                  + " `/api/state`, `/api/history`, `/api/v1/system`, `/api/v1/cluster`,"
                  + " `/api/settings`, `/api/faults`, `/api/v1/actors` (the 10,000 with the longest"
                  + " mailboxes, and 100 of them one by one), and, with each one by its id,"
                  + " `/api/v1/trouble`, `/api/v1/threads` and `/api/traces` (the last 500).")
          .answers(null)
          .noTool();

  /** The refusal for the page of another process, whoever asks there. */
  static final String NOT_PASSED_ON =
      "a dump is not passed on to the page of another process, since it is everything; to dump this"
          + " process, give it a page of its own by deimos.page.port";

  private final PageAccess access;
  private final DumpJson dump;

  DumpHandler(PageAccess access, DumpJson dump) {
    this.access = access;
    this.dump = dump;
  }

  void answer(Call call, Answer answer) throws IOException {
    if (!access.isTold(call.request())) {
      answer.error(
          403,
          access.needsToken()
              ? "a dump needs the token of this process as the header X-Deimos-Token; the line"
                  + " \"deimos: page at\" in the application's log says where it is"
              : "a dump needs a token, and this process has none: deimos.page.control=off. Start"
                  + " with deimos.page.control=token or deimos.page.access=token");
      return;
    }
    answer.packed("deimos-dump.json.gz", dump::writeTo);
  }
}
