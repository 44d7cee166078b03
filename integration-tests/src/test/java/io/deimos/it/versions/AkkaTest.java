// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.versions;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.PekkoVersion;
import org.junit.jupiter.api.Test;

/**
 * An application of Akka 2.6: every hook fires, nothing is complained of but that there is no
 * transport, and its traces are the same as with Pekko.
 */
class AkkaTest {
  @Test
  void run_onAkka_isAsOnPekko() {
    VersionRun.of(PekkoVersion.akka(), Jdk.own()).check(VersionRun.EXPECTED);
  }
}
