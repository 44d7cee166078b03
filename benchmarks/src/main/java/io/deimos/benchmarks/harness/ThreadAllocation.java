// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bytes that each live thread has allocated, as {@code jcmd Thread.print -e} tells. Threads
 * that have ended are not in it.
 *
 * @param bytes by the thread's number
 */
record ThreadAllocation(Map<Long, Long> bytes) {
  private static final Pattern THREAD =
      Pattern.compile("^\".*\" #(\\d+) .*\\ballocated=(\\d+)([BKMGT])", Pattern.MULTILINE);
  private static final String UNITS = "BKMGT";

  static ThreadAllocation parse(String dump) {
    Map<Long, Long> bytes = new HashMap<>();
    Matcher thread = THREAD.matcher(dump);
    while (thread.find()) {
      int shift = 10 * UNITS.indexOf(thread.group(3));
      bytes.put(Long.valueOf(thread.group(1)), Long.parseLong(thread.group(2)) << shift);
    }
    if (bytes.isEmpty()) {
      throw new IllegalArgumentException("no thread in " + dump);
    }
    return new ThreadAllocation(bytes);
  }

  /** Bytes allocated since {@code earlier}; those of a thread that is new, all of them. */
  long since(ThreadAllocation earlier) {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : bytes.entrySet()) {
      sum += thread.getValue() - earlier.bytes.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }
}
