// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Metrics of parts of Pekko beside actors and messages, read while they are as a scenario left
 * them: circuit breakers, a router, a typed stash, dispatchers with threads of every kind.
 */
class PartsTest {
  private static final Jdk NEWEST = Jdk.all().get(Jdk.all().size() - 1);

  private static AgentJvm jvm;
  private static Scrape scrape;

  @BeforeAll
  static void runAll() {
    jvm =
        AgentJvm.on(NEWEST)
            .eitherForm()
            .page()
            .pekkoAndOnly()
            .property("deimos.metrics.mailboxes.enabled", "false")
            .start("parts");
    RunningPage page = RunningPage.of(jvm);
    jvm.tell("run parts");
    jvm.awaitOut("that all is as it should be", l -> l.equals("@holding"));
    scrape = Scrape.of(page);
    Eventually.await(
        () -> {
          scrape = Scrape.of(page);
          return isRead();
        },
        () -> "all gauges read\n" + scrape.text());
  }

  /** Gauges are read one second after the other, and a task's wait is told after that. */
  private static boolean isRead() {
    return scrape.has("pekko_stash_size", "scenarios.Parts")
        && scrape.has("pekko_circuit_breaker_count", "scenarios.Parts")
        && value("pekko_dispatcher_actor_count", "pekko_dispatcher_name=\"pinned\"") == 3
        && (NEWEST.feature() < 21
            || scrape.has(
                "pekko_dispatcher_task_wait_duration_seconds_count",
                "pekko_dispatcher_name=\"virtual\""));
  }

  @AfterAll
  static void end() {
    if (jvm != null) {
      jvm.tell("");
      jvm.close();
    }
  }

  /** The value of the one series that has all of these labels. */
  private static double value(String metric, String... labels) {
    return scrape.series(metric).entrySet().stream()
        .filter(e -> List.of(labels).stream().allMatch(e.getKey()::contains))
        .mapToDouble(java.util.Map.Entry::getValue)
        .reduce((a, b) -> Double.NaN)
        .orElse(-1);
  }

  private static double calls(String breaker, String outcome) {
    return value(
        "pekko_circuit_breaker_call_duration_seconds_count",
        "pekko_circuit_breaker_name=\"" + breaker + "\"",
        "pekko_circuit_breaker_call_outcome=\"" + outcome + "\"");
  }

  private static double breaker(String metric, String breaker, String state) {
    return value(
        metric,
        "pekko_circuit_breaker_name=\"" + breaker + "\"",
        "pekko_circuit_breaker_state=\"" + state + "\"");
  }

  @Test
  void mailboxes_off_otherGaugesAreRead() {
    assertThat(scrape.series("pekko_mailbox_size")).isEmpty();
  }

  @Test
  void circuitBreaker_withAName_isCounted() {
    assertThat(calls("payments", "success")).isEqualTo(3);
    assertThat(calls("payments", "failure")).isEqualTo(1);
    assertThat(
            value(
                "pekko_circuit_breaker_call_rejected_total",
                "pekko_circuit_breaker_name=\"payments\""))
        .isEqualTo(1);
    for (String state : List.of("open", "half_open", "closed")) {
      assertThat(breaker("pekko_circuit_breaker_state_entered_total", "payments", state))
          .as(state)
          .isEqualTo(1);
    }
    assertThat(breaker("pekko_circuit_breaker_count", "payments", "closed")).isEqualTo(1);
    assertThat(breaker("pekko_circuit_breaker_count", "payments", "open")).isZero();
  }

  @Test
  void circuitBreaker_withoutAName_isToldByWhoMadeIt() {
    assertThat(calls("scenarios.Parts", "timeout")).isEqualTo(1);
    assertThat(breaker("pekko_circuit_breaker_count", "scenarios.Parts", "open")).isEqualTo(1);
  }

  @Test
  void circuitBreakers_ofTheSelfTest_areNotTold() {
    assertThat(scrape.text().lines().filter(line -> !line.startsWith("target_info{")))
        .noneMatch(line -> line.contains("selftest") || line.contains("self-test"));
  }

  @Test
  void router_oneMessageIn64_isTimed() {
    assertThat(routed("scenarios.Echo")).isEqualTo(2);
  }

  @Test
  void typedPool_oneMessageIn64_isTimed() {
    assertThat(routed("scenarios.Parts")).isEqualTo(2);
  }

  /** It did not make its routees, whoever they are. */
  @Test
  void typedGroup_oneMessageIn64_isTimed() {
    assertThat(routed("org.apache.pekko.actor.Actor")).isEqualTo(2);
  }

  @Test
  void routers_haveTheirRoutees() {
    assertThat(routees("scenarios.Echo")).isEqualTo(2);
    assertThat(routees("scenarios.Parts")).isEqualTo(2);
    assertThat(routees("org.apache.pekko.actor.Actor")).isEqualTo(2);
  }

  private static double routed(String routees) {
    return value(
        "pekko_router_routing_duration_seconds_count",
        "pekko_actor_class=\"" + routees + "\"",
        "pekko_system=\"parts\"");
  }

  private static double routees(String actorClass) {
    return value(
        "pekko_router_routee_count",
        "pekko_actor_class=\"" + actorClass + "\"",
        "pekko_system=\"parts\"");
  }

  @Test
  void typedStash_holdsWhatWasPutIntoIt() {
    assertThat(value("pekko_stash_size", "pekko_actor_class=\"scenarios.Parts\"")).isEqualTo(3);
  }

  @Test
  void pinnedDispatchers_areAddedUp() {
    String[] pinned = {"pekko_dispatcher_name=\"pinned\"", "pekko_executor_type=\"thread-pool\""};
    assertThat(value("pekko_dispatcher_actor_count", pinned)).isEqualTo(3);
    assertThat(value("pekko_dispatcher_parallelism", pinned)).isEqualTo(3);
    assertThat(value("pekko_dispatcher_thread_count", pinned)).isBetween(1.0, 3.0);
    assertThat(value("pekko_dispatcher_thread_active_count", pinned)).isNotNegative();
    assertThat(value("pekko_dispatcher_queue_size", pinned)).isNotNegative();
  }

  @Test
  void virtualThreads_whereTheJvmTellsOfThem_haveTheirScheduler() {
    String[] virtual = {
      "pekko_dispatcher_name=\"virtual\"", "pekko_executor_type=\"virtual-thread\""
    };
    if (NEWEST.feature() >= 24) {
      assertThat(value("pekko_dispatcher_parallelism", virtual)).isPositive();
      assertThat(value("pekko_dispatcher_thread_count", virtual)).isPositive();
      assertThat(value("pekko_dispatcher_thread_active_count", virtual)).isNotNegative();
      assertThat(value("pekko_dispatcher_queue_size", virtual)).isNotNegative();
    } else {
      assertThat(scrape.has("pekko_dispatcher_parallelism", virtual[0])).isFalse();
    }
  }
}
