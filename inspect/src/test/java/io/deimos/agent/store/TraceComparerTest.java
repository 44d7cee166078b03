// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.store.TraceComparison.Difference;
import io.deimos.agent.store.TraceComparison.Value;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.ring.Records;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceComparerTest {
  private static final long MILLI = 1_000_000;
  private static final TraceQuery SLOW = TraceQuery.of("duration>500ms");

  private final TraceStore store = new TraceStore(new StoreLimits(100_000, 100_000, 5_000));

  private void add(int trace, String name, long nanos, Attributes attributes, Resource of) {
    store.receive(
        List.of(
            TestSpanData.builder()
                .setHasEnded(true)
                .setName(name)
                .setKind(SpanKind.SERVER)
                .setStatus(StatusData.unset())
                .setAttributes(attributes)
                .setResource(of)
                .setSpanContext(
                    SpanContext.create(
                        "%032x".formatted(trace),
                        "%016x".formatted(trace),
                        TraceFlags.getSampled(),
                        TraceState.getDefault()))
                .setStartEpochNanos(trace * 1_000L)
                .setEndEpochNanos(trace * 1_000L + nanos)
                .build()));
  }

  private static Resource node(String id, String host) {
    return Resource.create(
        Attributes.builder().put(TraceStore.NODE, id).put("host.name", host).build());
  }

  private TraceComparison compared(TraceQuery query, int limit) {
    return store.compare(limit, false, query, Scan.unbounded());
  }

  /** A customer's requests are slow; the number of an order is another one in each trace. */
  @Test
  void compare_oneAttributeOfSlowTraces_isFirstWithSharesOfBothSides() {
    for (int i = 1; i <= 200; i++) {
      boolean slow = i % 10 == 0;
      Attributes said =
          Attributes.builder()
              .put("customer", slow || i % 50 == 1 ? "acme" : "other-" + i % 7)
              .put("order", (long) i)
              .put("express", i % 2 == 0)
              .put("weight", 0.5 * i)
              .build();
      add(i, "Checkout", slow ? 900 * MILLI : 20 * MILLI, said, Resource.empty());
    }
    add(201, "Report", 900 * MILLI, Attributes.empty(), Resource.empty());
    TraceComparison compared = compared(SLOW, 20);
    assertThat(compared.name()).isEqualTo("Checkout");
    assertThat(compared.selected()).isEqualTo(20);
    assertThat(compared.rest()).isEqualTo(180);
    assertThat(compared.leftOut().otherNames()).isEqualTo(1);
    Difference first = compared.differences().get(0);
    assertThat(first.value()).isEqualTo(new Value("customer", "acme"));
    assertThat(first.selected()).isEqualTo(20);
    assertThat(first.rest()).isEqualTo(4);
    assertThat(first.certain()).isBetween(0.4, 1.0);
    assertThat(store.trace(first.example())).isNotNull();
    assertThat(compared.differences())
        .extracting(one -> one.value().field())
        .as("neither what is unlike in each trace, nor what has no values to count")
        .doesNotContain("order", "weight", "name");
  }

  @Test
  void compare_valuesOfTheSameTraces_areOneRowThatNamesTheProcess() {
    for (int i = 1; i <= 80; i++) {
      boolean slow = i % 4 == 0;
      Resource of = slow ? node("f71c", "host-b") : node("0a11", "host-a");
      add(i, "Checkout", slow ? 900 * MILLI : MILLI, Attributes.empty(), of);
    }
    List<Difference> differences = compared(SLOW, 20).differences();
    assertThat(differences).hasSize(2);
    assertThat(differences)
        .extracting(Difference::value)
        .containsExactly(new Value("node", "0a11"), new Value("node", "f71c"));
    assertThat(differences.get(1).also())
        .containsExactly(new Value("resource.host.name", "host-b"));
    assertThat(differences.get(0).certain()).as("the others have it").isNegative();
    assertThat(compared(SLOW, 1).leftOut().differences()).isEqualTo(1);
  }

  @Test
  void compare_messages_haveTheirActorsAndClasses() {
    Records records = new Records(store);
    ActorTelemetry cart = Records.actor("pekko://shop/user/compared/cart", "shop.ComparedCart");
    ActorTelemetry vault = Records.actor("pekko://shop/user/compared/vault", "shop.ComparedVault");
    for (int i = 1; i <= 40; i++) {
      records.processed(9, i, i, 0, 1, 2, 3, cart, null, null);
      if (i <= 15) {
        records.processed(9, i, 1000 + i, i, 1, 2, 3, vault, null, null);
      }
    }
    Difference first = compared(TraceQuery.of("actor:ComparedVault"), 20).differences().get(0);
    assertThat(first.value()).isEqualTo(new Value("pekko.actor.class", "shop.ComparedVault"));
    assertThat(first.also())
        .contains(new Value("pekko.actor.path", "pekko://shop/user/compared/vault"));
    assertThat(first.selected()).isEqualTo(15);
    assertThat(first.rest()).isZero();
  }

  @Test
  void compare_moreValuesThanAreToldApart_namesTheField() {
    for (int i = 1; i <= TraceComparer.MAX_VALUES_OF_FIELD + 2; i++) {
      Attributes said = Attributes.builder().put("order", (long) i).put("slow", i % 9 == 0).build();
      add(i, "Checkout", i % 9 == 0 ? 900 * MILLI : MILLI, said, Resource.empty());
    }
    TraceComparison compared = compared(SLOW, 20);
    assertThat(compared.leftOut().fields()).containsExactly("order");
    assertThat(compared.differences().get(0).value().field()).isEqualTo("slow");
  }

  @Test
  void compare_noTraceOrNoOther_hasNoDifferences() {
    assertThat(compared(SLOW, 20).differences()).isEmpty();
    add(1, "Checkout", 900 * MILLI, Attributes.empty(), Resource.empty());
    TraceComparison compared = compared(SLOW, 20);
    assertThat(compared.selected()).isEqualTo(1);
    assertThat(compared.rest()).isZero();
    assertThat(compared.differences()).isEmpty();
  }
}
