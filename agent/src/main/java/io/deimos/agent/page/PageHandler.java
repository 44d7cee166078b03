// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.sun.net.httpserver.HttpExchange;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers the page's requests. Whoever comes by another name than this machine's own is refused: a
 * site whose name was made to point to 127.0.0.1 shall not read what the application does.
 */
final class PageHandler {
  private static final String TRACES = "/api/traces";
  private static final String SETTINGS = "/api/settings";
  private static final int MAX_LIMIT = 1000;
  private static final int DEFAULT_LIMIT = 100;

  private final Set<String> hosts;
  private final Dashboard dashboard;
  private final PageSource source;
  private final TraceStore store;
  private final @Nullable SettingsHandler settings;
  private final @Nullable ScrapedText metrics;

  PageHandler(
      int port,
      Dashboard dashboard,
      PageSource source,
      TraceStore store,
      @Nullable ScrapedText metrics) {
    this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
    this.dashboard = dashboard;
    this.source = source;
    this.store = store;
    PageSettings shown = source.settings();
    this.settings = shown == null ? null : new SettingsHandler(hosts, shown);
    this.metrics = metrics;
  }

  void handle(HttpExchange exchange) throws IOException {
    Answer answer = new Answer(exchange);
    try {
      answer(exchange, answer);
    } catch (BadRequest e) {
      answer.error(400, e.said);
    } catch (IOException e) {
      // The browser has gone away; nobody is left to be told.
    } catch (RuntimeException e) {
      io.deimos.recorder.Faults.caught(e);
      answer.error(500, "Deimos failed while it made this answer: " + e);
    }
  }

  private void answer(HttpExchange exchange, Answer answer) throws IOException {
    List<String> host = exchange.getRequestHeaders().get("Host");
    if (host == null || host.size() != 1 || !hosts.contains(host.get(0).toLowerCase(Locale.ROOT))) {
      answer.error(403, "the Host header must name this machine: 127.0.0.1 or localhost, and port");
      return;
    }
    String method = exchange.getRequestMethod();
    if (settings != null && exchange.getRequestURI().getPath().equals(SETTINGS)) {
      if (method.equals("POST")) {
        settings.change(exchange, answer);
        return;
      }
      if (method.equals("GET") || method.equals("HEAD")) {
        settings.show(answer);
        return;
      }
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      answer.header("Allow", "GET, HEAD");
      answer.error(405, "only GET and HEAD are answered here");
      return;
    }
    route(exchange.getRequestURI().getPath(), exchange, answer);
  }

  private void route(String path, HttpExchange exchange, Answer answer) throws IOException {
    if (path.equals("/") || path.equals("/index.html")) {
      answer.page(dashboard);
    } else if (path.equals("/api/state")) {
      StateJson state = new StateJson(source, store.counts(), store.share());
      answer.json(200, state::writeTo);
    } else if (path.equals("/metrics")) {
      if (metrics == null) {
        answer.error(
            404,
            "metrics are not told here: deimos.metrics.enabled or deimos.metrics.prometheus.enabled"
                + " is false, or a file configures the SDK");
      } else {
        answer.scraped(metrics);
      }
    } else if (path.equals(TRACES)) {
      Query query = Query.of(exchange.getRequestURI().getRawQuery());
      List<TraceSummary> traces =
          store.latest(
              query.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT),
              query.flag("errors"),
              query.text("q"));
      answer.json(200, json -> TraceJson.list(json, traces));
    } else if (path.startsWith(TRACES + "/")) {
      StoredTrace trace = store.trace(path.substring(TRACES.length() + 1));
      if (trace == null) {
        answer.error(404, "no such trace is kept; it may have made room for newer ones");
      } else {
        answer.json(200, json -> TraceJson.whole(json, trace));
      }
    } else {
      answer.error(404, "nothing here: " + path);
    }
  }

  /** A query that cannot be answered. */
  static final class BadRequest extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String said;

    BadRequest(String said) {
      super(said);
      this.said = said;
    }
  }
}
