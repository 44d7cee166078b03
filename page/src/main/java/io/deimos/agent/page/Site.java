// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.answers.PageApi;
import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpHandler;
import io.deimos.agent.http.Reply;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.nodes.Handshake;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.NodesHandler;
import io.deimos.agent.processes.OtlpCalls;
import io.deimos.agent.processes.OtlpCounts;
import io.deimos.agent.processes.OtlpHandler;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Endpoints;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers at all addresses of the page, for clients that may ask. */
final class Site {
  private static final String API = "/api/";

  /**
   * The next version of a service worker for a browser. The page has none, so it is that of
   * somebody who had this port before, and would answer in the page's place for ever. This one
   * takes over, leaves, and has the tabs ask again.
   */
  private static final String NO_WORKER =
      """
      addEventListener("install", () => skipWaiting());
      addEventListener("activate", (event) => event.waitUntil(leave()));
      async function leave() {
        await registration.unregister();
        const tabs = await clients.matchAll({ type: "window" });
        await Promise.all(tabs.map((tab) => tab.navigate(tab.url)));
      }
      """;

  private final PageAccess access;
  private final Dashboard dashboard;
  private final Accountant accountant;
  private final PageApi api;
  private final Endpoints endpoints;
  private final @Nullable NodesHandler nodes;
  private final @Nullable McpHandler mcp;
  private final @Nullable RecentScrape metrics;
  private final @Nullable OtlpHandler otlp;
  private final OtlpCounts otlpCounts = new OtlpCounts();
  private final AnswerMemory memory;

  /**
   * @param nodes the processes on this page; null where there can be no other
   * @param accountant keeps account of what requests take
   * @param takesOtlp whether spans may come from anybody who may ask
   */
  Site(
      PageAccess access,
      Dashboard dashboard,
      PageSource source,
      TraceStore store,
      @Nullable Nodes nodes,
      @Nullable ScrapedText metrics,
      Accountant accountant,
      boolean takesOtlp) {
    this.accountant = accountant;
    this.memory = accountant.answers();
    this.otlp =
        takesOtlp && nodes != null
            ? new OtlpHandler(store, source.logs(), nodes.senders(), otlpCounts, memory)
            : null;
    this.access = access;
    this.dashboard = dashboard;
    this.nodes =
        nodes == null ? null : new NodesHandler(nodes, access, otlp == null ? null : otlpCounts);
    this.api =
        new PageApi(
            accountant,
            access,
            source,
            store,
            nodes,
            this.nodes,
            (target, headers) -> ask("GET", target, headers));
    this.endpoints = api.endpoints();
    this.mcp =
        source.mcp()
            ? new McpHandler(
                new McpTools(endpoints.routes()),
                target -> ask("GET", target, ""),
                source.version())
            : null;
    this.metrics =
        metrics == null ? null : new RecentScrape(metrics, System::nanoTime, memory.mostOfOne());
  }

  /** The routes of its document. */
  List<Route> routes() {
    return endpoints.routes();
  }

  /** The same, and what only the page asks for. */
  List<Route> allRoutes() {
    return endpoints.all();
  }

  /** How a request of somebody who may ask is taken. */
  HttpHandler.Terms terms(Request head) {
    boolean isOtlp = isOtlp(head);
    return new HttpHandler.Terms(
        isOtlp ? OtlpHandler.MAX_BODY_BYTES : isMcp(head) ? McpHandler.MAX_BODY_BYTES : 0,
        isOtlp,
        null);
  }

  private boolean isOtlp(Request request) {
    return otlp != null && OtlpHandler.isFor(request.path());
  }

  private boolean isMcp(Request request) {
    return mcp != null && request.path().equals(McpHandler.PATH);
  }

  /** Refuses a request in the format that its client reads. */
  Answer refused(Request request, int status, String why) {
    Answer answer = new Answer(request, memory);
    if (status == 401) {
      answer.header("WWW-Authenticate", "Bearer");
    }
    if (isOtlp(request)) {
      otlpCounts.refused("HTTP", why);
      OtlpHandler.refuse(request, answer, status, why);
    } else {
      answer.error(status, why);
    }
    return answer;
  }

  /**
   * Takes calls of gRPC; null if nothing does.
   *
   * @param mayAsk null for who may
   */
  @Nullable GrpcService grpc(
      Function<Request, OtlpCalls.@Nullable Refused> mayAsk, AnswerMemory bodies, GrpcTurns turns) {
    OtlpHandler taking = otlp;
    return taking == null ? null : new OtlpCalls(taking, otlpCounts, mayAsk, bodies, turns);
  }

  /** Answers a request of somebody who may ask. */
  Answer answer(Request request) {
    Answer answer = new Answer(request, memory);
    prove(request, answer);
    answerWithin(request, answer);
    return answer;
  }

  /** Goes first, where a client asks for that before it sends the token. */
  private void prove(Request request, Answer answer) {
    String number = request.only(Handshake.NUMBER.toLowerCase(Locale.ROOT));
    String host = request.only("host");
    if (request.path().equals(Handshake.ABOUT)
        && number != null
        && host != null
        && number.matches("[0-9a-f]{64}")) {
      answer.header(Handshake.PROOF, access.proof(host, number));
    }
  }

  private void answerWithin(Request request, Answer answer) {
    try {
      answer(request, answer);
    } catch (BadRequest e) {
      answer.error(400, e.said());
    } catch (AnswerMemory.ExceededException e) {
      answer.error(503, e.said());
    } catch (IOException | RuntimeException e) {
      io.deimos.recorder.base.Faults.caught(e);
      answer.error(
          500, "Deimos failed while it made this answer: " + Printable.shortLine(e.toString()));
    }
  }

  /** The trouble of this process. */
  List<TroubleGroup> trouble() {
    return api.trouble();
  }

  /**
   * Answers what the page of another process passes on, which has checked who asks.
   *
   * @param told whether who asks has shown the token of that page
   * @param changes whether something is to be changed
   */
  Reply answerForOthers(String target, boolean gzip, boolean told, boolean changes) {
    Answer refusal = new Answer(null, memory);
    String why = PageApi.notPassedOn(Request.path(target));
    if (why != null) {
      refusal.error(403, why);
      return refusal.reply();
    }
    if (target.startsWith(API)) {
      String headers =
          (gzip ? "\r\nAccept-Encoding: gzip" : "")
              + (told ? "\r\nX-Deimos-Token: " + access.token() : "");
      return accountant.count(
          Accountant.Kind.LINKS, () -> false, () -> ask(changes ? "POST" : "GET", target, headers));
    }
    refusal.error(404, "only what is below /api/ is passed on");
    return refusal.reply();
  }

  /** Answers a request of whom nobody has to check any more. */
  private Reply ask(String method, String target, String headers) {
    try {
      Request request = Request.parse(method + " " + target + " HTTP/1.1" + headers);
      Answer answer = new Answer(request, memory);
      answerWithin(request, answer);
      return answer.reply();
    } catch (Request.Malformed e) {
      Answer refusal = new Answer(null, memory);
      refusal.error(e.status(), e.said());
      return refusal.reply();
    }
  }

  private void answer(Request request, Answer answer) throws IOException {
    if (PageHandler.isWorker(request)) {
      answer.header("Clear-Site-Data", "\"cache\"");
      answer.bytes(200, "text/javascript", NO_WORKER.getBytes(StandardCharsets.US_ASCII));
      return;
    }
    if (request.path().equals(McpHandler.PATH)) {
      if (mcp == null) {
        answer.error(404, "assistants may not ask here: deimos.page.mcp.enabled=false");
      } else {
        mcp.answer(request, request.body().bytes(), answer);
      }
      return;
    }
    if (otlp != null && OtlpHandler.isFor(request.path())) {
      otlp.answer(request, answer);
      return;
    }
    if (nodes != null && NodesHandler.changes(request)) {
      nodes.answer(request, answer);
      return;
    }
    if (!request.isRead()) {
      if (endpoints.answer(request, answer)) {
        return;
      }
      answer.header("Allow", "GET, HEAD");
      answer.error(405, "only GET and HEAD are answered here");
      return;
    }
    route(request.path(), request, answer);
  }

  private void route(String path, Request request, Answer answer) throws IOException {
    if (PageHandler.isPage(request)) {
      boolean isPacked = answer.takesGzip();
      answer.header("Content-Security-Policy", dashboard.policy());
      answer.ready(
          "text/html; charset=utf-8", isPacked ? dashboard.packed() : dashboard.html(), isPacked);
    } else if (path.equals(PageHandler.METRICS)) {
      if (metrics == null) {
        answer.error(
            404,
            "metrics are not told here: deimos.metrics.enabled or deimos.metrics.prometheus.enabled"
                + " is false, or a file configures the SDK");
      } else {
        metrics.answer(request, answer);
      }
    } else if (nodes != null && nodes.isFor(path)) {
      nodes.answer(request, answer);
    } else if (!endpoints.answer(request, answer)) {
      answer.error(404, "nothing here: " + Printable.shortLine(path));
    }
  }
}
