// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.log.Printable;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.source.PageAccess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers {@code /api/v1/updates}: several requests at once, again and again. */
final class UpdatesHandler {
  static final String PATH = "/api/v1/updates";

  static final int MAX_STREAMS = 16;
  private static final int MAX_POLLED = 16;
  private static final int LEAST_MILLIS = 500;
  private static final int MAX_MILLIS = 60_000;
  private static final Pattern POLLED =
      Pattern.compile("([0-9]{1,5}),(/(?:nodes/[0-9a-f]{16}/)?api/[^#\\s]*)");

  /** Requests that open something, or are for a file, cannot be asked again and again. */
  private static final Pattern ONCE =
      Pattern.compile(
          "(/nodes/[0-9a-f]{16})?/api/v1/(updates|dump|link|tap)([/?].*)?|.*[?&]format=.*");

  private static final Parameter<List<Updates.Polled>> ASK =
      Parameter.each(
          "ask",
          "A request to answer again and again: after how many milliseconds ("
              + LEAST_MILLIS
              + " to "
              + MAX_MILLIS
              + "), a comma, and an address below /api/ or /nodes/ID/api/ with its query, all of it"
              + " URL-encoded. Give it once for each request, at most "
              + MAX_POLLED
              + ".",
          UpdatesHandler::polled);

  static final Route ROUTE =
      Route.at(
              PATH,
              "updates",
              "Answers, again and again",
              "A stream of server-sent events, each with the whole answer to one of the requests."
                  + " At most "
                  + MAX_STREAMS
                  + " streams at once; each ends after ten minutes.")
          .note(
              "The dump, taps, and files (`format=`) cannot be asked for here. A client that reads"
                  + " slowly gets fewer events. A stream ends earlier if there is no memory for"
                  + " answers; open the next one then. One stream too many gets status 503.")
          .asks(ASK)
          .answers(
              Schema.named("Update", "The data of one event.")
                  .with(
                      "ask", Schema.whole("The number of the request, from 0 in the order given."))
                  .with("status", Schema.whole("The HTTP status of the answer."))
                  .with("value", Schema.any("The answer.")))
          .streams()
          .noTool();

  private final AtomicInteger streams = new AtomicInteger();
  private final PageAccess access;
  private final AnswerMemory memory;
  private final Asker asker;

  UpdatesHandler(PageAccess access, AnswerMemory memory, Asker asker) {
    this.access = access;
    this.memory = memory;
    this.asker = asker;
  }

  private static Updates.Polled polled(String text) {
    Matcher matcher = POLLED.matcher(text);
    if (!matcher.matches() || ONCE.matcher(matcher.group(2)).matches()) {
      throw new BadRequest(
          "ask="
              + Printable.shortLine(text)
              + ": must be as 1000,/api/v1/actors?limit=50, and an answer in JSON that nothing"
              + " changes by");
    }
    int millis = Integer.parseInt(matcher.group(1));
    if (millis < LEAST_MILLIS || millis > MAX_MILLIS) {
      throw new BadRequest(
          "ask="
              + Printable.shortLine(text)
              + ": must be every "
              + LEAST_MILLIS
              + " to "
              + MAX_MILLIS
              + " milliseconds");
    }
    return new Updates.Polled(matcher.group(2), millis);
  }

  void answer(Call call, Answer answer) throws IOException {
    List<Updates.Polled> polled = new ArrayList<>(ASK.of(call.query()));
    if (polled.isEmpty() || polled.size() > MAX_POLLED) {
      throw new BadRequest("ask: must be given 1 to " + MAX_POLLED + " times");
    }
    if (!call.request().method().equals("GET")) {
      answer.error(405, "only a GET opens a stream");
      return;
    }
    if (streams.incrementAndGet() > MAX_STREAMS) {
      streams.decrementAndGet();
      answer.error(
          503, MAX_STREAMS + " streams are open, and no more may be: ask each request by itself");
      return;
    }
    String told = access.isTold(call.request()) ? "\r\nX-Deimos-Token: " + access.token() : "";
    try {
      answer.stream(
          new Updates(
              polled,
              target -> asker.ask(target, told),
              memory,
              answer.takesGzip(),
              streams::decrementAndGet));
    } catch (IOException e) {
      streams.decrementAndGet();
      throw e;
    }
  }

  /** Asks this page. */
  interface Asker {
    /**
     * Throws nothing.
     *
     * @param headers more lines of the request's head
     */
    Reply ask(String target, String headers);
  }
}
