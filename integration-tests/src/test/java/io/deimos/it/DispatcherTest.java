// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever thread an actor runs on, its messages chain. */
class DispatcherTest {
  static Stream<Arguments> dispatchers() {
    return Jdk.all().stream()
        .flatMap(
            jdk ->
                Stream.concat(
                        Stream.of("thread-pool", "pinned", "calling-thread", "affinity"),
                        jdk.feature() >= 21 ? Stream.of("virtual") : Stream.empty())
                    .map(d -> Arguments.of(jdk, d)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("dispatchers")
  void dispatcher_anyKind_chains(Jdk jdk, String dispatcher) {
    ScenarioRun.ofAll(jdk)
        .assertTraces(
            "dispatcher-" + dispatcher,
            """
            process Begin at /user/front
              process Ping at /user/back from /user/front
                process Pong at /user/front from /user/back
            """);
  }
}
