// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.SpanTree;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The sample as a user runs it: one order's way through HTTP, shard, cart and payment is one trace.
 */
@Tag("quick")
@OnEachJdk
class ShopTest {
  private final Jdk jdk;

  ShopTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void order_fromHttpToPayment_isOneTrace() {
    Path jar = Layout.root().resolve("samples/shop/target/shop.jar");
    assertThat(jar)
        .as("build it by ./test or: mvn -f samples/shop/pom.xml package")
        .satisfies(j -> assertThat(Files.isReadable(j)).isTrue());
    Path file = Report.file("shop-" + jdk);
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .deimos()
                .exportTo(receiver)
                .page()
                .property("deimos.report.file", file.toString())
                .property("shop.http.port", "0")
                .property("shop.load.orders-per-second", "10")
                .property("shop.load.stock-moves-per-second", "50")
                .property("shop.payment.late-share", "0.1") // so that a time-out comes soon
                .classPath(List.of())
                .runs("-jar", jar.toString())
                .start("shop")) {
      receiver.awaitSpans(
          "an order that was paid", spans -> order(spans).isPresent(), Duration.ofSeconds(90));
      List<ReceivedSpan> order = order(receiver.spans()).orElseThrow();
      ReceivedSpan charge = charge(order).orElseThrow();
      List<ReceivedSpan> way = SpanTree.ancestors(SpanTree.byId(order), charge);
      assertThat(way)
          .as(SpanTree.of(order))
          .anySatisfy(s -> assertThat(s.name()).isEqualTo("ask Charge"))
          .anySatisfy(s -> assertThat(s.name()).isEqualTo("process Checkout"))
          .anySatisfy(s -> assertThat(s.name()).isEqualTo("ask Checkout"))
          .anySatisfy(s -> assertThat(s.kind()).isEqualTo(SpanKind.SPAN_KIND_SERVER));
      assertThat(order)
          .filteredOn(ReceivedSpan::isOurs)
          .allSatisfy(
              s -> {
                if (s.text("pekko.actor.class") != null) {
                  assertThat(s.text("pekko.actor.class")).doesNotStartWith("org.apache.pekko");
                }
                assertThat(s.text("pekko.sender.path"))
                    .as("no sender is no sender: %s", s)
                    .isNotEqualTo("pekko://shop/deadLetters");
              });
      RunningPage page = RunningPage.of(jvm);
      timeouts_inTheLog_areOnThePage(jvm, page);
      page_withoutAnyTrouble_hasNoNotice(page);
      check_findsOnlyTheFailuresOnPurpose(page);
      jvm.stop();
      Report report = Report.of(file);
      assertThat(report.hooksMissing()).as(report.text()).isEmpty();
      assertThat(report.spansDropped()).as(report.text()).isZero();
      assertThat(report.spansExported()).as(report.text()).isPositive();
      assertThat(jvm.complaints()).isEmpty();
    }
  }

  private static void timeouts_inTheLog_areOnThePage(AgentJvm jvm, RunningPage page) {
    String line =
        jvm.awaitErr(
            "a time-out with its trace",
            l -> l.startsWith("deimos: incident=ask_timeout") && l.contains(" trace_id="));
    String id = line.replaceAll(".* trace_id=([0-9a-f]{32}).*", "$1");
    String span = line.replaceAll(".* span_id=([0-9a-f]{16}).*", "$1");
    Eventually.await(
        () -> page.get("/api/traces/" + id).body().contains(span),
        () -> line + "; the page says " + page.get("/api/traces/" + id).body());
    Eventually.await(
        () ->
            page.traces("?q=event:ask_timeout").stream()
                .anyMatch(t -> t.getString("traceId").equals(id)),
        () -> "the time-out is not found by its event; " + page.get("/api/traces/" + id).body());
    for (String told : jvm.err()) {
      if (told.contains(" trace_id=")) {
        String named = told.replaceAll(".* trace_id=([0-9a-f]{32}).*", "$1");
        assertThat(page.get("/api/traces/" + named).body())
            .as(told)
            .doesNotContain("\"unknown\"", "\"not_taken\"", "\"put_out\"");
      }
    }
  }

  /** The sample serves HTTP and shards its carts: nearly every hook is woven into it. */
  private static void page_withoutAnyTrouble_hasNoNotice(RunningPage page) {
    Config state =
        page.awaitState("the self-test's end", s -> !s.getString("hooks.state").equals("pending"));
    assertThat(state.getString("hooks.state")).as(state.toString()).isEqualTo("ok");
    assertThat(state.getStringList("problems")).isEmpty();
    assertThat(state.getLong("recorder.faults")).isZero();
    assertThat(state.getString("service")).as("nobody named it").isEqualTo("shop");
    Eventually.await(
        () ->
            page.traces("?limit=100").stream()
                .anyMatch(t -> t.getStringList("actorClasses").contains("shop.PaymentActor")),
        () -> "no order among the traces: " + page.get("/api/traces?limit=100").body());
  }

  /** Its README has them: a connection that breaks, and answers that nobody waits for any more. */
  private static void check_findsOnlyTheFailuresOnPurpose(RunningPage page) {
    assertThat(page.findings())
        .extracting(found -> found.getString("rule"))
        .isSubsetOf("restart-loop", "dead-letters-repeat");
  }

  /** The spans of a trace in which a card was charged and the order confirmed to the customer. */
  private static Optional<List<ReceivedSpan>> order(List<ReceivedSpan> spans) {
    Map<String, List<ReceivedSpan>> traces =
        spans.stream().collect(Collectors.groupingBy(ReceivedSpan::traceId));
    return traces.values().stream()
        .filter(
            t ->
                charge(t).isPresent()
                    && isWhole(t)
                    && has(t, "process PaymentAnswered")
                    && t.stream()
                        .anyMatch(
                            s ->
                                s.kind() == SpanKind.SPAN_KIND_SERVER
                                    && s.name().endsWith("/checkout")))
        .findFirst();
  }

  private static Optional<ReceivedSpan> charge(List<ReceivedSpan> trace) {
    return trace.stream()
        .filter(
            s ->
                s.name().equals("process Charge")
                    && "shop.PaymentActor".equals(s.text("pekko.actor.class")))
        .findFirst();
  }

  /** A question's span comes after what happened inside of it. */
  private static boolean isWhole(List<ReceivedSpan> trace) {
    Set<String> ids = trace.stream().map(ReceivedSpan::spanId).collect(Collectors.toSet());
    return trace.stream().allMatch(s -> s.isRoot() || ids.contains(s.parentId()));
  }

  private static boolean has(List<ReceivedSpan> trace, String name) {
    return trace.stream().anyMatch(s -> s.name().equals(name));
  }
}
