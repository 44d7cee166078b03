// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tail sampling on three nodes of a cluster. 300 messages go from a by b to c, each in a trace of
 * its own, with a span of the SDK's on each node; c fails in each tenth, and answers nobody.
 */
class WireTailTest {
  private static final String CLUSTER = "cluster";
  private static final int FAILING = 30;

  /** On each node a message and a span of the SDK's. */
  private static final int SPANS = 6;

  private static List<ReceivedSpan> spans = List.of();
  private static String transcripts = "";

  @BeforeAll
  static void runAll() {
    UnaryOperator<AgentJvm.Builder> tail =
        n ->
            n.property("deimos.tracing.tail.enabled", "true")
                .property("deimos.tracing.tail.keep", "0")
                .property("deimos.tracing.tail.wait", "0s")
                .property("deimos.tracing.tail.processing", "0s")
                .property("deimos.tracing.tail.delay", "20s");
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start("a", receiver, n -> tail.apply(n.deimos()));
        WireNode b = WireNode.start("b", receiver, n -> tail.apply(n.eitherForm()));
        WireNode c = WireNode.start("c", receiver, n -> tail.apply(n.eitherForm()))) {
      List<WireNode> nodes = List.of(a, b, c);
      nodes.forEach(n -> n.open(CLUSTER));
      WireNode.join(CLUSTER, nodes);
      a.run(CLUSTER, "relay", b.address(CLUSTER));
      transcripts = WireNode.transcripts(nodes);
      receiver.awaitSpans(
          "all spans of the traces in which c failed",
          s -> relayed(s).size() >= FAILING * SPANS,
          Duration.ofSeconds(90));
      nodes.forEach(WireNode::end);
      spans = relayed(receiver.spans());
    }
  }

  private static List<ReceivedSpan> relayed(List<ReceivedSpan> all) {
    return all.stream()
        .filter(s -> s.name().equals("query") || s.name().equals("process Work"))
        .toList();
  }

  @Test
  void tracesInWhichALaterNodeFails_areKeptWholeOnAllNodes() {
    Map<String, List<ReceivedSpan>> traces =
        spans.stream().collect(groupingBy(ReceivedSpan::traceId));
    assertThat(traces).as(transcripts).hasSize(FAILING);
    assertThat(traces.values())
        .allSatisfy(
            trace ->
                assertThat(WireRun.tree(trace))
                    .isEqualTo(
                        """
                        process Work at a/user/relay
                          process Work at b/remote/…/relay-middle
                            process Work at c/remote/…/relay-last ! java.lang.IllegalStateException
                              query at c
                            query at b
                          query at a
                        """));
  }

  /** A parent that was never exported; at most one span of a thousand may have one. */
  @Test
  void spansWithoutTheirParent_areNone() {
    Set<String> ids = spans.stream().map(ReceivedSpan::spanId).collect(toSet());
    long orphans = spans.stream().filter(s -> !s.isRoot() && !ids.contains(s.parentId())).count();
    assertThat(orphans).isLessThanOrEqualTo(spans.size() / 1000);
  }
}
