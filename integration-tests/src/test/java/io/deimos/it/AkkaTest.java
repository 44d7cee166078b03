// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * An application of Akka 2.6: every hook fires, nothing is complained of but that there is no
 * transport, and its traces are the same as with Pekko.
 */
class AkkaTest {
  /** As {@link ClassicSendingTest}, {@link TypedSendingTest} and others have them for Pekko. */
  private static final Map<String, String> EXPECTED =
      Map.of(
          "classic-tell",
          """
          process Begin at /user/front
            process Ping at /user/back from /user/front
              process Pong at /user/front from /user/back
          """,
          "typed-tell",
          """
          process Start at /user/client
            process Question at /user/server
              process Answer at /user/client/answers
          """,
          "typed-ask",
          """
          process Start at /user/client
            ask Question at /user/server from /user/client
              process Question at /user/server
            process Adapted at /user/client
          """,
          "stream-ask",
          """
          process Begin at /user/front
            ask Work at /user/back
              process Work at /user/back from /temp
            ask Work at /user/back
              process Work at /user/back from /temp
            process Done at /user/sink
            process Done at /user/sink
          """);

  @Test
  void run_onAkka_isAsOnPekko() {
    VersionRun.of(PekkoVersion.akka()).check(EXPECTED);
  }
}
