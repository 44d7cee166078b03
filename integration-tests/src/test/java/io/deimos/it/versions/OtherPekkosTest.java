// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.versions;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.PekkoVersion;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The oldest Pekko, and one for each other Scala: some traces, every hook, and the transport in
 * both directions. {@link VersionsTest} has all versions and all traces.
 */
class OtherPekkosTest {
  /** One of each part; the self-test tries every hook of all of them. */
  private static final Set<String> SOME =
      Set.of(
          "classic-tell",
          "typed-tell",
          "typed-ask",
          "future-callback",
          "stream-ask",
          "remote-both-ways",
          "persist-typed memory");

  @ParameterizedTest
  @CsvSource({"1.0.3, 2.13", "1.1.3, 3", "1.6.0, 2.12"})
  void run_onAnotherPekko_isAsOnTheOneDeimosIsBuiltFor(String pekko, String scala) {
    VersionRun.of(PekkoVersion.of(pekko, scala), Jdk.own(), SOME::contains)
        .check(VersionRun.EXPECTED);
  }
}
