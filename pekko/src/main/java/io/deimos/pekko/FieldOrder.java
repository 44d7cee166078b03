// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.util.List;
import java.util.Map;

/** In which order a field interface's setter takes its fields; reflection does not tell. */
final class FieldOrder {
  private static final Map<Class<?>, List<String>> ORDER =
      Map.of(
          EnvelopeFields.class, List.of("deimos$trace", "deimos$parent", "deimos$sent"),
          CellFields.class, List.of("deimos$telemetry"),
          RefFields.class, List.of("deimos$identity"),
          ThreadFields.class, List.of("deimos$state"),
          NumberFields.class, List.of("deimos$number"),
          ContextFields.class, List.of("deimos$trace", "deimos$parent"));

  private FieldOrder() {}

  static List<String> of(Class<?> fields) {
    List<String> order = ORDER.get(fields);
    if (order == null) {
      throw new IllegalArgumentException("no order of fields for " + fields.getName());
    }
    return order;
  }
}
