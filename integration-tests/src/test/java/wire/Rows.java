// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Rows by name, most of them with the traces that must come of them; the name is also that of the
 * actor in which a row begins.
 */
public final class Rows {
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Map<String, String> traces = new TreeMap<>();

  /** Those of some classes, such as {@code BasicRows::addTo}. */
  @SafeVarargs
  public static Rows of(Consumer<Rows>... classes) {
    Rows all = new Rows();
    for (Consumer<Rows> of : classes) {
      of.accept(all);
    }
    return all;
  }

  static Row named(String name) {
    Rows all =
        of(
            BasicRows::addTo,
            ClusterRows::addTo,
            EntityAskRows::addTo,
            GuardRows::addTo,
            Ledgers::addTo,
            Moves::addTo,
            Metered::addTo,
            Passivating::addTo,
            Quarantines::addTo,
            RelayRows::addTo,
            Remembering::addTo,
            StreamRows::addTo,
            TypedRows::addTo,
            UnansweredRows::addTo,
            Rows::addScalas);
    Row row = all.rows.get(name);
    if (row == null) {
      throw new IllegalArgumentException("no row " + name + "; there are " + all.rows.keySet());
    }
    return row;
  }

  /** Compiled after these, by the other compiler. */
  public static void addScalas(Rows all) {
    try {
      Class.forName("wire.ScalaRows").getMethod("addTo", Rows.class).invoke(null, all);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the rows in Scala are not there", e);
    }
  }

  void add(String name, Row row) {
    rows.put(name, row);
  }

  /** One of which these traces must come, and no more. */
  void add(String name, Row row, String expected) {
    add(name, row);
    traces.put(name, expected);
  }

  /** One whose traces are those of another, but for its name. */
  void like(String other, String name, Row row) {
    String expected = Objects.requireNonNull(traces.get(other), other);
    add(name, row, expected.replace("/user/" + other, "/user/" + name));
  }

  /** Those that have some, by the names of their rows. */
  public Map<String, String> traces() {
    return new TreeMap<>(traces);
  }
}
