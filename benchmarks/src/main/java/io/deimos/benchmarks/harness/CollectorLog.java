// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code -Xlog:gc} writes, whatever the collector. */
final class CollectorLog {
  private static final Pattern NUMBER = Pattern.compile("\\bGC\\((\\d+)\\)");
  private static final Pattern HEAP =
      Pattern.compile("\\b\\d+M(?:\\(\\d+%\\))?->(\\d+)M(?:\\(\\d+%\\)|\\(\\d+M\\))");

  private CollectorLog() {}

  /** How many collections there have been; the lines of one share its number. */
  static int collections(List<String> lines) {
    return (int)
        lines.stream()
            .flatMap(line -> NUMBER.matcher(line).results())
            .map(m -> m.group(1))
            .distinct()
            .count();
  }

  /** The heap in use after the last collection. */
  static double lastHeapMegabytes(List<String> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      Matcher heap = HEAP.matcher(lines.get(i));
      if (heap.find()) {
        return Double.parseDouble(heap.group(1));
      }
    }
    throw new IllegalArgumentException("no collection in " + lines);
  }
}
