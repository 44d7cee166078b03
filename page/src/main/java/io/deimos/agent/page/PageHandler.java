// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpHandler;
import io.deimos.agent.http.Request;
import io.deimos.agent.processes.NodesHandler;
import io.deimos.agent.processes.OtlpCalls;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.source.PageAccess;
import org.jspecify.annotations.Nullable;

/** Lets in who may ask, and refuses the others. */
final class PageHandler implements HttpHandler {
  static final String METRICS = "/metrics";

  private final Callers callers;
  private final PageAccess access;
  private final Site site;

  /**
   * @param callers who may ask at all
   * @param access who needs the token
   */
  PageHandler(Callers callers, PageAccess access, Site site) {
    this.callers = callers;
    this.access = access;
    this.site = site;
  }

  Site site() {
    return site;
  }

  @Override
  public Answer handle(Request request) {
    OtlpCalls.Refused refused = refused(request);
    return refused == null
        ? site.answer(request)
        : site.refused(request, refused.status(), refused.said());
  }

  @Override
  public Terms terms(Request head, boolean hasBody) {
    OtlpCalls.Refused refused = hasBody ? refused(head) : null;
    return refused == null
        ? site.terms(head)
        : new Terms(0, false, site.refused(head, refused.status(), refused.said()));
  }

  @Override
  public Answer refused(Request head, int status, String why) {
    return site.refused(head, status, why);
  }

  @Override
  public @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
    return site.grpc(this::refused, memory, turns);
  }

  /** Why somebody may not ask this; null if he may. */
  private OtlpCalls.@Nullable Refused refused(Request request) {
    if (!callers.callThisMachine(request)) {
      return new OtlpCalls.Refused(
          403,
          "the Host header must name this machine, as the page's address does, or by 127.0.0.1 or"
              + " localhost, and port");
    }
    if (callers.areAnotherSite(request) && !isLinkToThePage(request)) {
      return new OtlpCalls.Refused(403, "another web site may not ask here");
    }
    boolean isMetrics = request.path().equals(METRICS);
    PageAccessMode reading = isMetrics ? access.metrics() : access.page();
    if (reading == PageAccessMode.OFF && !isMetrics) {
      return new OtlpCalls.Refused(404, "the page is off: deimos.page.access=off");
    }
    if (reading == PageAccessMode.TOKEN
        && !isPage(request)
        && !isWorker(request)
        && !NodesHandler.provesOtherwise(request.path())
        && !access.isTold(request)) {
      return new OtlpCalls.Refused(
          401,
          "this needs the token of this process, as the header X-Deimos-Token or as a bearer token;"
              + " the line \"deimos: page at\" in the application's log says where it is");
    }
    return null;
  }

  /** The page itself tells nothing, and people put links to it where they like. */
  private static boolean isLinkToThePage(Request request) {
    return isPage(request)
        && request.isRead()
        && request.all("origin").isEmpty()
        && "navigate".equals(request.only("sec-fetch-mode"))
        && "document".equals(request.only("sec-fetch-dest"));
  }

  static boolean isPage(Request request) {
    return request.path().equals("/") || request.path().equals("/index.html");
  }

  /** Browsers say so, whatever the address is. */
  static boolean isWorker(Request request) {
    return request.isRead() && "script".equals(request.only("service-worker"));
  }
}
