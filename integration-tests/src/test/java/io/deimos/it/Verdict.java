// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.util.Set;

/**
 * What the handlers of one row found: how often the context that belongs there, how often none of
 * the requests', and how often one that does not belong there.
 */
record Verdict(int right, int lost, int leaked, boolean apart) {
  static Verdict none(boolean apart) {
    return new Verdict(0, 0, 0, apart);
  }

  /**
   * @param trace of the request; with a {@code !} before it if it should not be there
   * @param found what a handler found
   * @param requests the traces of all requests
   */
  Verdict with(String trace, String found, Set<String> requests) {
    boolean not = apart || trace.startsWith("!");
    String named = trace.startsWith("!") ? trace.substring(1) : trace;
    boolean same = found.equals(named);
    if (same != not) {
      return new Verdict(right + 1, lost, leaked, not);
    }
    boolean foreign = not || requests.contains(found);
    return new Verdict(right, lost + (foreign ? 0 : 1), leaked + (foreign ? 1 : 0), not);
  }

  boolean isRight() {
    return right > 0 && lost == 0 && leaked == 0;
  }

  @Override
  public String toString() {
    int all = right + lost + leaked;
    if (all == 0) {
      return "did not run";
    }
    if (isRight()) {
      return apart ? "apart" : "kept";
    }
    String text = lost == 0 ? "" : lost == all ? "**lost**" : "**lost** " + lost + " of " + all;
    String more =
        leaked == 0 ? "" : leaked == all ? "**leaked**" : "**leaked** " + leaked + " of " + all;
    return text + (text.isEmpty() || more.isEmpty() ? "" : ", ") + more;
  }
}
