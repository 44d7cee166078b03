// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import io.deimos.agent.nodes.Handshake;
import io.deimos.agent.nodes.LocalPage;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.NodeCard;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.observer.TroubleGroup;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers what concerns several processes: who serves here ({@code /api/v1/about}), how to join it
 * ({@code /api/v1/link}), who has ({@code /api/v1/nodes}), and what one of them answers ({@code
 * /nodes/ID/api/…}).
 */
final class NodesHandler {
  private static final String LIST = "/api/v1/nodes";
  private static final Pattern OF_ONE = Pattern.compile("/nodes/([0-9a-f]{16})(/api/.*)");

  private final Nodes nodes;
  private final PageAccess access;

  NodesHandler(Nodes nodes, PageAccess access) {
    this.nodes = nodes;
    this.access = access;
  }

  /** What needs no token: it says little, or asks for another proof. */
  static boolean provesOtherwise(String path) {
    return path.equals(Handshake.ABOUT) || path.equals(Handshake.LINK);
  }

  boolean isFor(String path) {
    return provesOtherwise(path) || path.equals(LIST) || path.startsWith("/nodes/");
  }

  void answer(Request request, Answer answer) throws IOException {
    switch (request.path()) {
      case Handshake.ABOUT -> answer.json(200, this::about);
      case Handshake.LINK -> link(request, answer);
      case LIST -> answer.json(200, this::list);
      default -> passOn(request, answer);
    }
  }

  private void about(Json json) throws IOException {
    NodeCard self = nodes.self();
    json.beginObject();
    json.name("product").value("deimos");
    json.name("version").value(self.version());
    json.name("link").value(Handshake.VERSION);
    json.name("process").value(self.id());
    json.name("pid").value(self.pid());
    json.name("service").value(self.service());
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
    Nodes.Opening opening = nodes.open(number);
    answer.becomes("deimos-link", opening.says(), opening.then());
  }

  private void passOn(Request request, Answer answer) throws IOException {
    Matcher wanted = OF_ONE.matcher(request.path());
    if (!wanted.matches()) {
      answer.error(404, "nothing here: " + Printable.shortLine(request.path()));
      return;
    }
    String query = request.query();
    LocalPage.Reply reply =
        nodes.ask(
            wanted.group(1),
            wanted.group(2) + (query == null ? "" : "?" + query),
            answer.takesGzip());
    if (reply == null) {
      answer.error(
          404, "no process " + wanted.group(1) + " is on this page now; " + LIST + " lists them");
    } else {
      answer.passedOn(reply);
    }
  }

  private void list(Json json) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("nodes").beginArray();
    for (Node node : nodes.all()) {
      node(json, node);
    }
    json.endArray().endObject();
  }

  private static void node(Json json, Node node) throws IOException {
    NodeCard card = node.card();
    json.beginObject();
    json.name("id").value(card.id());
    json.name("state").value(node.state().name().toLowerCase(Locale.ROOT));
    json.name("sinceMillis").value(node.sinceMillis());
    json.name("service").value(card.service());
    json.name("systems").beginArray();
    for (String system : card.systems()) {
      json.value(system);
    }
    json.endArray();
    json.name("pid").value(card.pid());
    json.name("version").value(card.version());
    json.name("pekkoVersion").value(card.pekkoVersion());
    json.name("jdk").value(card.jdk());
    json.name("startedAtMillis").value(card.startedAtMillis());
    json.name("saidAtMillis").value(card.atMillis());
    json.name("messages").value(card.messages());
    json.name("actorsLive").value(card.actorsLive());
    json.name("spansRecorded").value(card.spansRecorded());
    json.name("spansDropped").value(card.spansDropped());
    json.name("spansReceived").value(node.spansReceived());
    json.name("spansNotSent").value(card.spansNotSent());
    json.name("heapUsedBytes").value(card.heapUsedBytes());
    json.name("heapMaxBytes").value(card.heapMaxBytes());
    json.endObject();
  }

  /** Each process that was on this page and is not any more. */
  static List<TroubleGroup> gone(Nodes nodes) {
    return nodes.all().stream()
        .filter(node -> node.state() == Node.State.GONE)
        .map(
            node ->
                TroubleGroup.counted(
                    "node",
                    "",
                    "gone " + node.card().id(),
                    1,
                    "A process has left the page: "
                        + node.card().service()
                        + ", process "
                        + node.card().pid()
                        + ". It ended, or its connection broke. Its traces that were sent are"
                        + " here.",
                    ""))
        .toList();
  }
}
