// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.List;
import java.util.Map;

/** Takes numbers out of what forks returned. */
final class Samples {
  private Samples() {}

  static double number(Map<String, Object> object, String key) {
    if (object.get(key) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException("no number " + key + " in " + object);
  }

  @SuppressWarnings("unchecked") // Json makes maps with string keys only
  static Map<String, Object> object(Map<String, Object> parent, String key) {
    if (parent.get(key) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IllegalArgumentException("no object " + key + " in " + parent);
  }

  @SuppressWarnings("unchecked") // as above
  static List<Map<String, Object>> objects(Map<String, Object> parent, String key) {
    if (parent.get(key) instanceof List<?> list) {
      return (List<Map<String, Object>>) list;
    }
    throw new IllegalArgumentException("no list " + key + " in " + parent);
  }

  static Statistics of(List<Map<String, Object>> objects, String key) {
    return Statistics.of(objects.stream().map(object -> number(object, key)).toList());
  }
}
