// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a request through actor and database to another server and back, as one trace. */
class HttpTest {
  @Test
  void request_throughActorDatabaseAndAnotherServer_isOneTrace() {
    ScenarioRun run =
        ScenarioRun.run("http", b -> b.deimos().classPath(Layout.wholeClassPath()), "http-classic");
    assertThat(SpanTree.of(run.spansOf("http-classic").stream().map(HttpTest::withKind).toList()))
        .isEqualTo(
            """
            GET (client)
              GET /order (server)
                ask Work at /user/shop
                  process Work at /user/shop from /temp
                    GET (client)
                      GET /price (server)
                    INSERT http-classic.orders (client)
            """);
  }

  @Test
  void request_underTailSampling_isExportedWholeOrNotAtAll() {
    ScenarioRun run =
        ScenarioRun.run(
            "http-tail",
            b ->
                b.deimos()
                    .classPath(Layout.wholeClassPath())
                    .property("deimos.tracing.tail.enabled", "true")
                    .property("deimos.tracing.tail.keep", "0")
                    .property("deimos.tracing.tail.wait", "0s")
                    .property("deimos.tracing.tail.processing", "0s"),
            "http-classic",
            "http-failing");
    assertThat(SpanTree.of(run.spansOf("http-failing").stream().map(HttpTest::withKind).toList()))
        .isEqualTo(
            """
            GET (client) ! 500
              GET /order (server) ! 500
                ask Work at /user/shop ! java.lang.IllegalStateException
                  process Work at /user/shop from /temp ! java.lang.IllegalStateException
                    INSERT http-failing.orders (client)
            """);
    assertThat(run.spans().stream().filter(s -> s.name().contains("INSERT")))
        .as("the query of the trace without trouble")
        .hasSize(1);
  }

  /** Without HTTP's own instrumentation the trace is one that the server's handler begins. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void parts_ofStreamedBodies_areInTheTracesOfTheirRequests(boolean whole) {
    ScenarioRun run =
        ScenarioRun.run(
            "http-bodies-" + (whole ? "full" : "lean"),
            b -> b.form(whole).classPath(Layout.wholeClassPath()),
            "http-bodies",
            "http-bodies-2");
    assertThat(run.out().stream().filter(line -> line.startsWith("@")))
        .as(run::transcript)
        .contains("@done http-bodies", "@done http-bodies-2")
        .filteredOn(line -> line.startsWith("@bodies"))
        .hasSize(15)
        .allMatch(line -> line.endsWith(" 0 wrong"));
  }

  /** Others record a question at one end and its answer at the other. */
  private static ReceivedSpan withKind(ReceivedSpan span) {
    if (span.isOurs()) {
      return span;
    }
    String kind = span.kind() == SpanKind.SPAN_KIND_SERVER ? " (server)" : " (client)";
    assertThat(span.kind()).isIn(SpanKind.SPAN_KIND_SERVER, SpanKind.SPAN_KIND_CLIENT);
    return new ReceivedSpan(
        span.traceId(),
        span.spanId(),
        span.parentId(),
        span.traceState(),
        span.name() + kind,
        span.kind(),
        span.startNanos(),
        span.endNanos(),
        span.attributes(),
        span.events(),
        span.links(),
        span.status(),
        span.statusMessage(),
        span.scope(),
        span.scopeVersion(),
        span.flags(),
        span.droppedAttributes(),
        span.resource());
  }
}
