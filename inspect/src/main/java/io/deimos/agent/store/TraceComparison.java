// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.List;

/**
 * Some traces against the others of the same name.
 *
 * @param name that of all traces compared
 * @param selected how many of the chosen ones were compared
 * @param rest how many of the others
 * @param differences those that are surest first
 */
public record TraceComparison(
    String name, int selected, int rest, LeftOut leftOut, List<Difference> differences) {

  /**
   * All that is not compared.
   *
   * @param otherNames chosen traces with other names
   * @param reduced traces of which only what shows their trouble is left
   * @param fields those with more values than are told apart
   * @param differences those beyond the limit
   */
  public record LeftOut(int otherNames, int reduced, List<String> fields, int differences) {}

  /** One attribute with its value, or a name, an event, a process. */
  public record Value(String field, String value) {}

  /**
   * A value that one side has more often than the other.
   *
   * @param also values that the very same traces have
   * @param alsoLeftOut how many more of these
   * @param selected how many of the chosen traces have it
   * @param rest how many of the others
   * @param certain the least difference of the two shares; negative if the others have it more
   *     often
   * @param example the id of a trace with it, on the side that has it more often
   */
  public record Difference(
      Value value,
      List<Value> also,
      int alsoLeftOut,
      int selected,
      int rest,
      double certain,
      String example) {}
}
