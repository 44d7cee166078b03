// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.Request;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may ask at all: those that call this page by a name of its own, and no other web
 * site. A browser says which site a request comes from; other sites are refused, also one whose
 * name was made to point to 127.0.0.1. A client that sends neither {@code Origin} nor {@code
 * Sec-Fetch-Site} is no browser.
 *
 * @param scheme of the page's address
 * @param hosts what the Host header may be; empty for anything, where the token says who may ask
 */
record Callers(String scheme, Set<String> hosts) {
  /**
   * Those of this machine.
   *
   * @param listen the address that is listened at, as the page's own has it
   */
  static Callers local(String scheme, String listen, List<Integer> ports) {
    Set<String> hosts = new LinkedHashSet<>();
    for (int port : ports) {
      for (String name : List.of(listen, "127.0.0.1", "localhost", "[::1]")) {
        hosts.add(name + ":" + port);
      }
    }
    return new Callers(scheme, hosts);
  }

  /** Those of any machine, whatever name they know this one by. */
  static Callers anywhere() {
    return new Callers("https", Set.of());
  }

  boolean callThisMachine(Request request) {
    String host = request.only("host");
    return host != null && (hosts.isEmpty() || hosts.contains(host.toLowerCase(Locale.ROOT)));
  }

  boolean areAnotherSite(Request request) {
    for (String origin : request.all("origin")) {
      if (!isOwn(origin.toLowerCase(Locale.ROOT), request.only("host"))) {
        return true;
      }
    }
    for (String site : request.all("sec-fetch-site")) {
      if (!site.equals("same-origin") && !site.equals("none")) {
        return true;
      }
    }
    return false;
  }

  private boolean isOwn(String origin, @Nullable String host) {
    String own = scheme + "://";
    return origin.startsWith(own)
        && (hosts.isEmpty()
            ? host != null && origin.equals(own + host.toLowerCase(Locale.ROOT))
            : hosts.contains(origin.substring(own.length())));
  }
}
