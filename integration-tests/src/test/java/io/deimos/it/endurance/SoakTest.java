// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.WireLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A cluster of three nodes under load, whose shards move all the time, and of which the oldest,
 * with the coordinators and the singleton, is killed half way and replaced. For {@code
 * -Ddeimos.soak.seconds}, {@value #SHORT_SECONDS} by default; {@code integration-tests/soak} has it
 * run for ten minutes.
 */
class SoakTest {
  private static final int SHORT_SECONDS = 40;
  private static final int MAX_AGE_SECONDS = 10;
  private static final int REQUESTS_PER_SECOND = 25;
  private static final int RUMOURS = 3;

  private final SoakLedger ledger = new SoakLedger();
  private final Path reports = Layout.target().resolve("soak");

  @Test
  void cluster_underLoadWithRebalancesAndAKilledNode_losesAndKeepsNoTrace() throws IOException {
    int seconds = Integer.getInteger("deimos.soak.seconds", SHORT_SECONDS);
    Files.createDirectories(reports);
    try (OtlpReceiver receiver = OtlpReceiver.start(ledger::add);
        AgentJvm a = node("a", receiver);
        AgentJvm b = node("b", receiver);
        AgentJvm c = node("c", receiver)) {
      String seed = address(a);
      List.of(a, b, c).forEach(n -> n.tell("join " + seed + " 3"));
      List.of(a, b, c).forEach(n -> await(n, "@joined"));
      b.tell("load " + REQUESTS_PER_SECOND).tell("move 700");
      c.tell("load " + REQUESTS_PER_SECOND);
      for (int i = 0; i < RUMOURS; i++) {
        c.tell("rumour");
      }
      SoakLoad.goesOnFor(seconds / 2);
      long killedAtNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
      a.close();
      // Its requests go on, unanswered or not, while the others find out and agree.
      try (AgentJvm d = node("d", receiver)) {
        d.tell("join " + address(b) + " 3");
        await(d, "@joined");
        long answered = count(b, "answered");
        SoakLoad.goesOnFor(Math.max(5, seconds - seconds / 2 - 10));
        SoakLoad.goesOnUntil(
            () -> ledger.spansOfNodes().containsKey("d") && count(b, "answered") > answered);
        assertThat(count(b, "answered")).as("answered since").isGreaterThan(answered);
        b.tell("quiet");
        c.tell("quiet");
        SoakLoad.goesOnFor(5); // what was asked last is answered, or not
        String counts = counts(b) + "\n" + counts(c);
        List.of(d, c, b).forEach(n -> n.tell("end"));
        for (AgentJvm n : List.of(d, c, b)) {
          assertThat(n.awaitExit()).as(n.transcript()).isZero();
          assertThat(n.complaints()).isEmpty();
        }
        new SoakVerdict(
                ledger,
                MAX_AGE_SECONDS,
                reports,
                List.of("b", "c", "d"),
                o -> o.sentBy().equals("a") && o.startNanos() <= killedAtNanos + 1_000_000_000L)
            .judge(
                reports.resolve("result.txt"),
                List.of(
                    "soak of " + seconds + " s on three nodes, JDK " + Runtime.version(),
                    counts,
                    "node a killed after " + seconds / 2 + " s, replaced by d"));
        assertThat(ledger.oldestSeconds())
            .as("some would go on for ever")
            .isGreaterThan(MAX_AGE_SECONDS / 2.0);
        assertThat(ledger.spansOfNodes()).containsOnlyKeys("a", "b", "c", "d");
      }
    }
  }

  private AgentJvm node(String name, OtlpReceiver receiver) {
    return AgentJvm.on(Jdk.own())
        .classPath(WireLayout.classPath())
        .form(name.matches("[ac]"))
        .exportTo(receiver)
        .property("otel.service.name", name)
        .property("soak.node", name)
        .property("deimos.tracing.guard.max-age", MAX_AGE_SECONDS + "s")
        .property("deimos.report.file", reports.resolve(name + ".json").toString())
        .pekkoAndOnly("executors", "opentelemetry-api")
        .option("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
        .runs("soak.Node")
        .start("soak-" + name);
  }

  private static String address(AgentJvm node) {
    return await(node, "@opened ").substring("@opened ".length());
  }

  private static String await(AgentJvm node, String answer) {
    String line = node.awaitOut(answer, l -> l.startsWith(answer) || l.startsWith("@failed"));
    assertThat(line).as(node.transcript()).startsWith(answer);
    return line;
  }

  private static String counts(AgentJvm node) {
    long before = node.out().stream().filter(l -> l.startsWith("@counts ")).count();
    node.tell("counts");
    node.awaitOut(
        "its counts",
        l -> node.out().stream().filter(o -> o.startsWith("@counts ")).count() > before);
    List<String> all = node.out().stream().filter(l -> l.startsWith("@counts ")).toList();
    return all.get(all.size() - 1);
  }

  private static long count(AgentJvm node, String what) {
    return Long.parseLong(counts(node).replaceFirst(".* " + what + "=(\\d+).*", "$1"));
  }
}
