// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Request;
import io.deimos.agent.json.Json;
import io.deimos.agent.log.Printable;
import io.deimos.agent.nodes.Handshake;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Answers what concerns several processes: who serves here ({@code /api/v1/about}), how to join it
 * ({@code /api/v1/link}), who has ({@code /api/v1/nodes}), and what one of them answers ({@code
 * /nodes/ID/api/…}).
 */
public final class NodesHandler {
  private static final String PATH = "/api/v1/nodes";

  private static final Schema NODE =
      Schema.named("Process", "One process on this page.")
          .with("id", Schema.hex(16, "Random in each process."))
          .with(
              "state",
              Schema.text(
                  "serves; page, which serves and is no application; joined; sends, which sends"
                      + " OTLP and no more; or gone."))
          .with("sinceMillis", Schema.whole("Since when."))
          .with("service", Schema.text("Its own name."))
          .with("systems", Schema.list(Schema.text(""), "Its actor systems."))
          .with("pid", Schema.whole("Its process id."))
          .with("version", Schema.text("The version of Deimos."))
          .with("pekkoVersion", Schema.text("The version of Pekko."))
          .with("jdk", Schema.text("Its Java."))
          .with("host", Schema.text("Its machine's name."))
          .with("startedAtMillis", Schema.whole("When it was started."))
          .with("saidAtMillis", Schema.whole("When it said this last, by its own clock."))
          .with(
              "keptAtMillis",
              Schema.whole(
                  "As of when, by the page's clock, its last answers are kept; 0 if none are."))
          .with("messages", Schema.whole("Messages since it started."))
          .with("actorsLive", Schema.whole("Actors that live."))
          .with("spansRecorded", Schema.whole("Spans since it started."))
          .with("spansDropped", Schema.whole("Spans that were lost."))
          .with("spansReceived", Schema.whole("Spans of kept traces that have come from it."))
          .with(
              "spansNotSent",
              Schema.whole("Spans that had to go before there was room on the way."))
          .with("troubleLeftOut", Schema.whole("Groups of its trouble that had no room here."))
          .with("heapUsedBytes", Schema.whole("Its heap in use."))
          .with("heapMaxBytes", Schema.whole("Its greatest heap."))
          .with(
              "clockOffsetNanos",
              Schema.whole("By how much its clock is ahead of the page's.").orNull())
          .with("clockErrorNanos", Schema.whole("That is right within this.").orNull());

  public static final Route LIST =
      Route.at(
              PATH,
              "nodes",
              "The processes on this page",
              "Lists the processes whose actors this page shows: the one that serves it first, then"
                  + " those that have joined it, then the last that are gone.")
          .note(
              "Those that send OTLP to [a page of its own](how-to/page-of-its-own.md) stand before"
                  + " the last 16 that are gone.")
          .note(
              "`GET /nodes/ID/api/…` is answered by the process with this id: everything here and"
                  + " in [the page](page.md#json) but `/metrics` and what needs its token. If it"
                  + " does not answer within three seconds, the status is 503. `POST"
                  + " /nodes/ID/api/v1/settings` changes its settings, with this page's token, if"
                  + " it was started with `deimos.page.join-control = true`; if not, the status is"
                  + " 403. For a process that is gone, the page has its last answers to"
                  + " `/api/state`, `/api/history`, `/api/settings`, `/api/faults`, and `/api/v1/`"
                  + " `actors`, `threads`, `map` and `system`, whatever their parameters; all else"
                  + " is 404. `GET /api/traces` has the traces of all processes.")
          .answers(
              Schema.named("Processes", "The processes on this page.")
                  .with("nowMillis", Schema.whole("The server's clock."))
                  .with("nodes", Schema.list(NODE, "The one that serves first."))
                  .with("otlp", OtlpCounts.SCHEMA.orNull()));

  public static final Route ABOUT =
      Route.at(
              Handshake.ABOUT,
              "about",
              "The serving process",
              "Tells which process serves this page. It needs no token.")
          .note(
              "With the header `Deimos-Number`, 64 hexadecimal digits, the answer has the header"
                  + " `Deimos-Proof`: the HMAC-SHA256, by the token, of `deimos|page|HOST|NUMBER`,"
                  + " with the header `Host` as it was sent. A client that checks it knows, before"
                  + " it sends the token, that the server has it.")
          .answers(
              Schema.named("About", "The process that serves here.")
                  .with("product", Schema.text("deimos."))
                  .with("version", Schema.text("The version of Deimos."))
                  .with("link", Schema.whole("The protocol by which processes join."))
                  .with("process", Schema.hex(16, "Its id."))
                  .with("pid", Schema.whole("Its process id."))
                  .with("service", Schema.text("Its own name."))
                  .with("access", Schema.text("open or token.")))
          .noTool();

  private static final Pattern OF_ONE = Pattern.compile("/nodes/([0-9a-f]{16})(/api/.*)");

  private static final Pattern OF_ONE_TO_CHANGE =
      Pattern.compile("/nodes/[0-9a-f]{16}/api/(v1/)?settings");

  private static final String NO_CONTROL =
      "settings are not changed here: deimos.page.control=off. Use the control file of the process,"
          + " or start the page with deimos.page.control=token";

  private static final String NO_TOKEN =
      "a change needs the token of this page as the header X-Deimos-Token; the line \"deimos: page"
          + " at\" of the process that serves it says where it is";

  private final Nodes nodes;
  private final PageAccess access;
  private final @Nullable OtlpCounts otlp;

  /**
   * @param otlp what became of the OTLP that came here; null if none is taken
   */
  public NodesHandler(Nodes nodes, PageAccess access, @Nullable OtlpCounts otlp) {
    this.otlp = otlp;
    this.nodes = nodes;
    this.access = access;
  }

  /** Requests that need no token: it says little, or asks for another proof. */
  public static boolean provesOtherwise(String path) {
    return path.equals(Handshake.ABOUT) || path.equals(Handshake.LINK);
  }

  public boolean isFor(String path) {
    return path.equals(Handshake.LINK) || path.startsWith("/nodes/");
  }

  public void answer(Request request, Answer answer) throws IOException {
    if (request.path().equals(Handshake.LINK)) {
      link(request, answer);
    } else {
      passOn(request, answer);
    }
  }

  public void about(Json json) throws IOException {
    ProcessStatus self = nodes.self();
    json.beginObject();
    json.name("product").value("deimos");
    json.name("version").value(self.process().versions().deimos());
    json.name("link").value(Handshake.VERSION);
    json.name("process").value(self.id());
    json.name("pid").value(self.process().pid());
    json.name("service").value(self.process().service());
    json.name("access").value(access.page().name().toLowerCase(Locale.ROOT));
    json.endObject();
  }

  private void link(Request request, Answer answer) {
    String number = request.only(Handshake.NUMBER.toLowerCase(Locale.ROOT));
    boolean asked = "deimos-link".equals(request.only("upgrade"));
    if (!asked || number == null || !number.matches("[0-9a-f]{64}")) {
      answer.error(400, "this is for other processes with Deimos, which join this page");
      return;
    }
    answer.becomes("deimos-link", nodes.open(number));
  }

  /** Whether this changes settings of one process. */
  public static boolean changes(Request request) {
    return request.method().equals("POST") && OF_ONE_TO_CHANGE.matcher(request.path()).matches();
  }

  private void passOn(Request request, Answer answer) throws IOException {
    Matcher wanted = OF_ONE.matcher(request.path());
    if (!wanted.matches()) {
      answer.error(404, "nothing here: " + Printable.shortLine(request.path()));
      return;
    }
    String query = request.query();
    String target = wanted.group(2) + (query == null ? "" : "?" + query);
    boolean told = access.control() == PageControl.TOKEN && access.isTold(request);
    if (changes(request) && !told) {
      answer.error(403, access.control() == PageControl.OFF ? NO_CONTROL : NO_TOKEN);
      return;
    }
    Reply reply =
        changes(request)
            ? nodes.change(wanted.group(1), target)
            : nodes.ask(wanted.group(1), target, answer.takesGzip(), told);
    if (reply == null) {
      answer.error(
          404, "no process " + wanted.group(1) + " is on this page now; " + PATH + " lists them");
    } else {
      answer.passedOn(reply);
    }
  }

  public void list(Json json) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("nodes").objects(nodes.all(), NodesHandler::node).name("otlp");
    if (otlp == null) {
      json.none();
    } else {
      otlp.writeTo(json);
    }
    json.endObject();
  }

  private static void node(Json json, Node node) throws IOException {
    ProcessStatus card = node.card();
    json.name("id").value(card.id());
    json.name("state").value(node.state().name().toLowerCase(Locale.ROOT));
    json.name("sinceMillis").value(node.sinceMillis());
    json.name("service").value(card.process().service());
    json.name("systems").values(card.process().systems());
    json.name("pid").value(card.process().pid());
    json.name("version").value(card.process().versions().deimos());
    json.name("pekkoVersion").value(card.process().versions().pekko());
    json.name("jdk").value(card.process().versions().jdk());
    json.name("host").value(card.process().host());
    json.name("startedAtMillis").value(card.process().startedAtMillis());
    json.name("saidAtMillis").value(card.atMillis());
    json.name("keptAtMillis").value(node.keptAtMillis());
    json.name("messages").value(card.counts().messages());
    json.name("actorsLive").value(card.counts().actorsLive());
    json.name("spansRecorded").value(card.counts().spansRecorded());
    json.name("spansDropped").value(card.counts().spansDropped());
    json.name("spansReceived").value(node.spansReceived());
    json.name("spansNotSent").value(card.counts().spansNotSent());
    json.name("troubleLeftOut").value(node.troubleLeftOut());
    json.name("heapUsedBytes").value(card.counts().heapUsedBytes());
    json.name("heapMaxBytes").value(card.counts().heapMaxBytes());
    ClusterJson.clock(json, node.clock());
  }

  /** Each process that was on this page and is not any more. */
  public static List<TroubleGroup> gone(Nodes nodes) {
    return nodes.all().stream()
        .filter(node -> node.state() == Node.State.GONE)
        .map(NodesHandler::end)
        .toList();
  }

  private static TroubleGroup end(Node node) {
    ProcessStatus card = node.card();
    String story =
        "A process has left the page: "
            + card.process().service()
            + ", process "
            + card.process().pid()
            + ". It ended, or its connection broke. Before that it had "
            + card.counts().actorsLive()
            + " actors, had processed "
            + card.counts().messages()
            + " messages and used "
            + (card.counts().heapUsedBytes() >> 20)
            + " of "
            + (card.counts().heapMaxBytes() >> 20)
            + " MiB of heap. Its traces that were sent are here, and its state as it was last.";
    return TroubleGroup.counted("node", "", "gone " + card.id(), 1, story, "")
        .at(node.sinceMillis() * 1_000_000);
  }
}
