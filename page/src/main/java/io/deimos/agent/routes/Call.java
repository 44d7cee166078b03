// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.http.Request;
import io.deimos.agent.log.Printable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * A request for a {@link Route}.
 *
 * @param id what the path has at its end, as it was sent; empty if the route has none
 * @param scan how long whoever answers may search
 */
public record Call(Request request, Query query, String id, Scan scan) {
  static Call of(Route route, Request request, Scan scan) {
    return new Call(request, Query.of(request.query()), route.idIn(request.path()), scan);
  }

  /** The id, URL-decoded. A plus sign in a path is a plus sign. */
  public String decodedId() {
    try {
      return URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("not URL-encoded: " + Printable.shortLine(id));
    }
  }
}
