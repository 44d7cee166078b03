// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Actors with a defect each, and others that look like them and are healthy. */
class CheckActorsTest {
  private static final Set<String> EXPECTED =
      Set.of(
          "ask-chain Second Ping",
          "ask-times-out-later Second Ping",
          "ask-timeout-tight Tardy Ping",
          "bottleneck Busy",
          "bottleneck SlowClock",
          "mailbox-unbounded-large Open",
          "pool-used-as-one OfOne",
          "stash-unbounded-large Stasher",
          "supervisor-hides-failures Frail",
          "timer-overtakes SlowClock Tick");

  private static final Set<String> RULES =
      new TreeSet<>(EXPECTED.stream().map(one -> one.substring(0, one.indexOf(' '))).toList());

  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void ail() {
    jvm =
        AgentJvm.on(Jdk.own())
            .agent(Layout.eitherForm())
            .property("deimos.page.port", "0")
            .property("deimos.metrics.gauges.interval", "200ms")
            .property("deimos.check.bottleneck.time", "4s")
            .start("ailing");
    jvm.tell("run ailing");
    page = RunningPage.of(jvm);
    jvm.awaitOut("that all are at work", l -> l.equals("@holding"));
  }

  private static Set<String> found() {
    Set<String> found = new TreeSet<>();
    for (Config one : page.json("/api/v1/check").getConfigList("findings")) {
      if (RULES.contains(one.getString("rule"))) {
        found.add(
            (one.getString("rule") + name(one, "actorClass") + name(one, "messageClass")).strip());
      }
    }
    return found;
  }

  private static String name(Config finding, String key) {
    Config where = finding.getConfig("where");
    String name = where.getIsNull(key) ? "" : where.getString(key);
    return " " + name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  @Test
  void findings_eachDefect_isFoundAndTheHealthyAreNot() {
    Eventually.see(
        CheckActorsTest::found, found -> found.containsAll(EXPECTED), found -> "found " + found);
    assertThat(found()).isEqualTo(EXPECTED);
  }
}
