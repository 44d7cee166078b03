// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The garbage collector of the programs under test, the same for every mode of one run. */
enum Collector {
  /** The cost of a JVM by itself. */
  G1("-XX:+UseG1GC"),
  /** The cheapest write barrier, and no thread that works beside the actors. */
  PARALLEL("-XX:+UseParallelGC", "-XX:-UseAdaptiveSizePolicy"),
  /** Coloured pointers and load barriers; it takes no size of a young generation. */
  ZGC("-XX:+UseZGC");

  private final String flags;

  Collector(String... flags) {
    this.flags = String.join(" ", flags);
  }

  static Collector of(String word) {
    for (Collector collector : values()) {
      if (collector.word().equals(word)) {
        return collector;
      }
    }
    throw new IllegalArgumentException(
        "--gc="
            + word
            + ": expected "
            + Arrays.stream(values()).map(Collector::word).collect(Collectors.joining(", ")));
  }

  /** As the command line and the result have it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  List<String> flags() {
    return List.of(flags.split(" ", -1));
  }

  /** Whether the flag for the size of the young generation means anything to it. */
  boolean hasYoungSize() {
    return this != ZGC;
  }
}
