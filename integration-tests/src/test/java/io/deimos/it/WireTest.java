// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A trace goes on from node to node, over every transport: two JVMs with the agent, an actor system
 * per transport in each.
 */
@OnEachJdk
class WireTest {
  private static final String[] TRANSPORTS = {"tcp", "tls", "aeron", "classic"};

  /** Each row and its whole trace. */
  private static final Map<String, String> ROWS =
      Map.of(
          "tell",
          """
          process Begin at a/user/tell
            process Work at b/user/echo
              process Done at a/user/tell
          """,
          "forward",
          """
          process Begin at a/user/forward
            process Work at a/user/forward-middle
              process Work at b/user/echo
                process Done at a/user/forward
          """,
          "selection",
          """
          process Begin at a/user/selection
            process Work at b/user/echo
              process Done at a/user/selection
          """,
          "ask",
          """
          process Begin at a/user/ask
            ask Work at a/user/echo
              process Work at b/user/echo
            process Done at a/user/ask
          """,
          "ask-typed",
          """
          process Begin at a/user/ask-typed
            ask Question at a/user/typed
              process Question at b/user/typed
            process Done at a/user/ask-typed
          """,
          "ask-timeout",
          """
          process Begin at a/user/ask-timeout
            ask Done at a/user/echo ! timeout
              process Done at b/user/echo
          """,
          "baggage",
          """
          process Begin at a/user/baggage
            process WhatBaggage at b/user/echo
              process Baggages at a/user/baggage
          """,
          "large",
          """
          process Begin at a/user/large
            process Large at b/user/echo-large
              process Done at a/user/large
          """,
          "router",
          """
          process Begin at a/user/router
            process Work at b/user/echo
              process Done at a/user/router
            process Work at b/user/echo-large
              process Done at a/user/router
          """,
          "deployed",
          """
          process Begin at a/user/deployed
            process Work at b/remote/…/deployed-there
              process Done at a/user/deployed
          """);

  private static final Map<Jdk, WireRun> RUNS = new ConcurrentHashMap<>();

  private final WireRun run;

  WireTest(Jdk jdk) {
    run = RUNS.computeIfAbsent(jdk, WireTest::runAll);
  }

  private static WireRun runAll(Jdk jdk) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(jdk, "a", receiver, b -> b.deimos());
        WireNode b = WireNode.start(jdk, "b", receiver, n -> n.deimos())) {
      a.open(TRANSPORTS);
      b.open(TRANSPORTS);
      for (String transport : TRANSPORTS) {
        ROWS.keySet().stream().sorted().forEach(row -> a.run(transport, row, b.address(transport)));
        a.run(transport, "outside", b.address(transport));
      }
      a.end();
      b.end();
      return new WireRun(receiver.spans(), List.of(a, b));
    }
  }

  static Stream<Arguments> rows() {
    return Stream.of(TRANSPORTS)
        .flatMap(
            transport ->
                ROWS.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(row -> Arguments.of(transport, row.getKey(), row.getValue())));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("rows")
  void row_overTheWire_isOneTrace(String transport, String row, String expected) {
    run.assertTraces(transport, row, expected);
  }

  @Test
  void noSpan_ofAnyNode_hasAParentThatIsMissing() {
    assertThat(WireRun.tree(run.spans())).doesNotContain("(parent missing)");
  }
}
