// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code jcmd VM.native_memory summary} prints. */
final class NativeMemory {
  private static final Pattern PURPOSE =
      Pattern.compile(
          "^- +([A-Za-z][A-Za-z ]*?) \\(reserved=\\d+KB, committed=(\\d+)KB", Pattern.MULTILINE);

  private NativeMemory() {}

  /** Committed megabytes by purpose. */
  static Map<String, Double> megabytes(String summary) {
    Map<String, Double> megabytes = new TreeMap<>();
    Matcher purpose = PURPOSE.matcher(summary);
    while (purpose.find()) {
      megabytes.put(purpose.group(1), Double.parseDouble(purpose.group(2)) / 1024);
    }
    if (megabytes.isEmpty()) {
      throw new IllegalArgumentException("no memory by purpose in " + summary);
    }
    return megabytes;
  }
}
