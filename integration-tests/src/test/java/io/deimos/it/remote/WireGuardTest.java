// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.SpanTree;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Messages that two nodes pass back and forth are ended by the guard of the node at which it is
 * due.
 */
class WireGuardTest {
  private static List<ReceivedSpan> spans = List.of();
  private static List<ReceivedPoint> ofA = List.of();
  private static List<ReceivedPoint> ofB = List.of();

  @BeforeAll
  static void runBoth() {
    try (OtlpReceiver toldByA = OtlpReceiver.start();
        OtlpReceiver toldByB = OtlpReceiver.start();
        WireNode a = node("a", toldByA).open("tcp");
        WireNode b = node("b", toldByB).open("tcp")) {
      a.run("tcp", "deep", b.address("tcp"));
      a.run("tcp", "aged", b.address("tcp"));
      a.end();
      b.end();
      spans = Stream.concat(toldByA.spans().stream(), toldByB.spans().stream()).toList();
      ofA = toldByA.points();
      ofB = toldByB.points();
    }
  }

  private static WireNode node(String name, OtlpReceiver receiver) {
    return WireNode.start(
        name,
        receiver,
        n ->
            n.form(name.equals("a"))
                .property("deimos.tracing.guard.max-depth", "10")
                .property("deimos.tracing.guard.max-age", "8s")
                .metricsEvery(Duration.ofMillis(100)));
  }

  /** 26 messages on each node; a trace that comes in has its depth there still before it. */
  @Test
  void messages_beyondTheDepth_goOnInLinkedTracesOnEitherNode() {
    assertThat(WireRun.tree(of("deep")))
        .isEqualTo(
            chains(
                chain(1, 10, 0),
                chain(0, 11, 0),
                chain(0, 5, 10),
                chain(0, 0, 11),
                chain(0, 0, 5)));
    assertThat(links("deep", "depth"))
        .containsExactly(
            "Work after Work", "Work after Work", "Work after Work", "Work after Work");
    assertThat(cuts(ofA, "depth")).isEqualTo(2);
    assertThat(cuts(ofB, "depth")).isEqualTo(2);
  }

  @Test
  void messages_beyondTheAge_goOnInLinkedTracesOnEitherNode() {
    assertThat(WireRun.tree(of("aged")))
        .isEqualTo(
            """
            process Begin at a/user/aged
              process Work at b/remote/…/aged-there
            process Done at a/user/aged
              process Work at b/remote/…/aged-there
                process Done at a/user/aged
            process Work at b/remote/…/aged-there
              process Done at a/user/aged
            """);
    assertThat(links("aged", "age"))
        .containsExactlyInAnyOrder("Done after Work", "Work after Done");
    assertThat(cuts(ofA, "age")).isEqualTo(1);
    assertThat(cuts(ofB, "age")).isEqualTo(1);
  }

  private static String chains(String... chains) {
    return Stream.of(chains).sorted().collect(Collectors.joining());
  }

  /** A trace in which each message is the child of the one before. */
  private static String chain(int begun, int there, int here) {
    StringBuilder chain = new StringBuilder();
    for (int i = 0; i < begun + there + here; i++) {
      chain
          .append("  ".repeat(i))
          .append(
              i < begun
                  ? "process Begin at a/user/deep\n"
                  : i < begun + there
                      ? "process Work at b/remote/…/deep-there\n"
                      : "process Work at a/user/deep\n");
    }
    return chain.toString();
  }

  private static List<ReceivedSpan> of(String row) {
    return spans.stream().filter(s -> String.valueOf(s.path()).contains("/user/" + row)).toList();
  }

  /** The beginning of a trace, and its predecessor. */
  private static List<String> links(String row, String reason) {
    Map<String, ReceivedSpan> byId = SpanTree.byId(spans);
    return of(row).stream()
        .flatMap(s -> s.links().stream().map(link -> text(s, link, byId, reason)))
        .toList();
  }

  private static String text(
      ReceivedSpan span, ReceivedSpan.Link link, Map<String, ReceivedSpan> byId, String reason) {
    ReceivedSpan to = Objects.requireNonNull(byId.get(link.spanId()));
    assertThat(span.isRoot()).isTrue();
    assertThat(link.traceId()).isEqualTo(to.traceId()).isNotEqualTo(span.traceId());
    assertThat(link.attributes()).containsEntry("deimos.link.reason", reason);
    return (span.name() + " after " + to.name()).replace("process ", "");
  }

  private static double cuts(List<ReceivedPoint> points, String reason) {
    return points.stream()
        .filter(p -> p.name().equals("deimos.trace.cut"))
        .filter(p -> reason.equals(p.attributes().get(p.name() + ".reason")))
        .mapToDouble(ReceivedPoint::value)
        .max()
        .orElse(0);
  }
}
