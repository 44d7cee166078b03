// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.Map;
import java.util.TreeMap;

/** All rows by name; the name is also that of the actor in which a row begins. */
final class Rows {
  private Rows() {}

  static Row named(String name) {
    Map<String, Row> all = new TreeMap<>();
    BasicRows.addTo(all);
    ClusterRows.addTo(all);
    EntityAskRows.addTo(all);
    GuardRows.addTo(all);
    Ledgers.addTo(all);
    Moves.addTo(all);
    Metered.addTo(all);
    Quarantines.addTo(all);
    RelayRows.addTo(all);
    Remembering.addTo(all);
    StreamRows.addTo(all);
    TypedRows.addTo(all);
    UnansweredRows.addTo(all);
    addScalas(all);
    Row row = all.get(name);
    if (row == null) {
      throw new IllegalArgumentException("no row " + name + "; there are " + all.keySet());
    }
    return row;
  }

  /** Compiled after these, by the other compiler. */
  private static void addScalas(Map<String, Row> all) {
    try {
      Class.forName("wire.ScalaRows").getMethod("addTo", Map.class).invoke(null, all);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the rows in Scala are not there", e);
    }
  }
}
