// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.comparison;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The findings of the handlers of one row: how often the context that belongs there, how often none
 * of the requests', and how often one that does not belong there.
 *
 * @param failure why the row did not run to its end, which counts more than all that it found
 */
record Verdict(int right, int lost, int leaked, boolean apart, @Nullable String failure) {
  private static final int LONGEST = 120;

  static Verdict none(boolean apart) {
    return new Verdict(0, 0, 0, apart, null);
  }

  /** The same of a row that failed; the reason is made to fit into a cell of a table. */
  Verdict failed(String why) {
    String text = why.replace('|', '/').replaceAll("\\s+", " ").trim();
    String cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    return new Verdict(right, lost, leaked, apart, cut);
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
      return new Verdict(right + 1, lost, leaked, not, failure);
    }
    boolean foreign = not || requests.contains(found);
    return new Verdict(right, lost + (foreign ? 0 : 1), leaked + (foreign ? 1 : 0), not, failure);
  }

  /** How many handlers said what they found. */
  int found() {
    return right + lost + leaked;
  }

  boolean isRight() {
    return failure == null && right > 0 && lost == 0 && leaked == 0;
  }

  @Override
  public String toString() {
    if (failure != null) {
      return "**failed**: " + failure;
    }
    int all = found();
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
