// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code check}: what is wrong, and an exit code that says whether something is. */
final class Check {
  static final String FAIL_ON = "--fail-on";

  /** There are findings of the level that was named. */
  private static final int FOUND = 3;

  private static final List<String> SEVERITIES = List.of("advice", "warning", "critical");

  private Check() {}

  static void run(Call call) throws IOException, InterruptedException {
    Map<String, String> query = call.query();
    query.remove("fail-on");
    String level = call.option(FAIL_ON);
    int least = least(level);
    Json answer =
        call.print(
            GivenToken.page(call).get(PageClient.target("/api/v1/check", query)), Views::check);
    boolean isFound =
        level != null
            && answer.each("findings").stream()
                .anyMatch(one -> SEVERITIES.indexOf(one.text("severity")) >= least);
    if (isFound) {
      throw Failure.told(FOUND);
    }
  }

  private static int least(@Nullable String level) throws Failure {
    int least = level == null ? 0 : SEVERITIES.indexOf(level);
    if (least < 0) {
      throw Failure.misuse(FAIL_ON + " " + level + ": must be advice, warning or critical");
    }
    return least;
  }
}
