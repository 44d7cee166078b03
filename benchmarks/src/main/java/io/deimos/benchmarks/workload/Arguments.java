// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The {@code --key=value} arguments of a program under test. */
public final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  public Arguments(String[] arguments) {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 3) {
        throw new IllegalArgumentException(argument + ": expected --key=value");
      }
      values.put(argument.substring(2, equals), argument.substring(equals + 1));
    }
  }

  public String string(String key, String fallback) {
    return values.getOrDefault(key, fallback);
  }

  public int integer(String key, int fallback) {
    return Integer.parseInt(string(key, Integer.toString(fallback)));
  }

  public double decimal(String key, double fallback) {
    return Double.parseDouble(string(key, Double.toString(fallback)));
  }

  /** Returns the comma-separated integers of {@code key}. */
  public int[] integers(String key, String fallback) {
    return Arrays.stream(string(key, fallback).split(",", -1))
        .mapToInt(Integer::parseInt)
        .toArray();
  }
}
