// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.Scan;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The routes of the interface with what answers each. Filled once, before the first request. */
public final class Endpoints {
  private final List<Endpoint> all = new ArrayList<>();
  private final Searches searches;

  /**
   * @param accountant has the budget of searches
   */
  public Endpoints(Accountant accountant) {
    this.searches = new Searches(accountant);
  }

  public Endpoints add(Route route, Responder responder) {
    all.add(new Endpoint(route, responder, true, Search.NONE));
    return this;
  }

  /**
   * One whose answer is searched for.
   *
   * @param stands whether an answer stands until it is paid for
   */
  public Endpoints addSearch(Route route, boolean stands, Responder responder) {
    all.add(new Endpoint(route, responder, true, stands ? Search.STANDS : Search.EACH));
    return this;
  }

  /** The address that a route had before. It is answered, and no longer told of. */
  public Endpoints alsoAt(String path, Route route, Responder responder) {
    Search search =
        all.stream()
            .filter(one -> one.route.equals(route))
            .map(Endpoint::search)
            .findFirst()
            .orElse(Search.NONE);
    all.add(new Endpoint(route.at(path), responder, false, search));
    return this;
  }

  /** One for the page alone, which the document does not tell of. */
  public Endpoints addUntold(Route route, Responder responder) {
    all.add(new Endpoint(route, responder, false, Search.NONE));
    return this;
  }

  /** All, in order, those that are not told of included. */
  public List<Route> all() {
    return all.stream().map(Endpoint::route).toList();
  }

  /** Those that the document tells of. */
  public List<Route> routes() {
    return all.stream().filter(Endpoint::isTold).map(Endpoint::route).toList();
  }

  /** Answers a request; false if none of the routes is for it. */
  public boolean answer(Request request, Answer answer) throws IOException {
    for (Endpoint one : all) {
      if (one.route.isFor(request)) {
        answer(one, request, answer);
        return true;
      }
    }
    return false;
  }

  private void answer(Endpoint one, Request request, Answer answer) throws IOException {
    if (one.search == Search.NONE) {
      one.responder.answer(Call.of(one.route, request, Scan.unbounded()), answer);
    } else {
      searches.answer(
          request,
          answer,
          one.search == Search.STANDS,
          scan -> Call.of(one.route, request, scan),
          one.responder);
    }
  }

  private record Endpoint(Route route, Responder responder, boolean isTold, Search search) {}

  /** How an answer is searched for. */
  private enum Search {
    NONE,
    EACH,
    STANDS
  }

  /** Answers what is asked of a route. */
  public interface Responder {
    public void answer(Call call, Answer answer) throws IOException;
  }
}
