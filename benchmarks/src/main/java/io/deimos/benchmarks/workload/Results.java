// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import io.deimos.benchmarks.json.Json;
import java.util.Map;

/** How a program under test hands its result to the harness. */
public final class Results {
  /**
   * The beginning of the one line that counts, so that an agent's own output cannot be taken for
   * it.
   */
  public static final String PREFIX = "RESULT ";

  private Results() {}

  public static void print(Map<String, ?> result) {
    System.out.println(PREFIX + Json.write(result));
    System.out.flush();
  }

  /**
   * Ends this JVM at once. Agents' shutdown hooks (a last export to a closed port, for one) are not
   * what is measured and may take many seconds.
   */
  public static void exit() {
    System.err.flush();
    Runtime.getRuntime().halt(0);
  }
}
