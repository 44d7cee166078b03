// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The routes of the interface with what answers each. Filled once, before the first request. */
final class Endpoints {
  private final List<Endpoint> all = new ArrayList<>();

  Endpoints add(Route route, Responder responder) {
    all.add(new Endpoint(route, responder, true));
    return this;
  }

  /** The address that a route had before. It is answered, and no longer told of. */
  Endpoints alsoAt(String path, Route route, Responder responder) {
    all.add(new Endpoint(route.at(path), responder, false));
    return this;
  }

  List<Route> routes() {
    return all.stream().filter(Endpoint::isTold).map(Endpoint::route).toList();
  }

  /** Answers a request; false if none of the routes is for it. */
  boolean answer(Request request, Answer answer) throws IOException {
    for (Endpoint one : all) {
      if (one.route.isFor(request)) {
        one.responder.answer(Call.of(one.route, request), answer);
        return true;
      }
    }
    return false;
  }

  private record Endpoint(Route route, Responder responder, boolean isTold) {}

  /** Answers what is asked of a route. */
  interface Responder {
    void answer(Call call, Answer answer) throws IOException;
  }
}
