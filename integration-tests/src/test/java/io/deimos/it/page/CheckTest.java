// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import checks.Scenario;
import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One application with a defect for each rule, and beside each what looks like it and is healthy.
 * {@link checks.Main#ALL} has the scenarios.
 */
class CheckTest {
  private static final String PATH = "/api/v1/check";

  /** The threads that all scenarios share are few on a machine with much to do. */
  private static final String ACCEPTED = "dispatcher-threads:pekko.actor.*";

  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void begin() {
    jvm =
        AgentJvm.on(Jdk.own())
            .eitherForm()
            .page()
            .pekkoAlone()
            .classPath(Layout.wholeClassPath())
            .property("deimos.check.actors-never-stopped.actors", "100")
            .property("deimos.check.actors-never-stopped.time", "20s")
            .property("deimos.check.dispatcher-threads.cpu", "1")
            .property("deimos.check.ignore", ACCEPTED)
            .runs("checks.Main")
            .start("check");
    page = RunningPage.of(jvm);
  }

  static Stream<String> rules() {
    return checks.Main.ALL.stream().map(Scenario::rule);
  }

  private static List<? extends Config> findings(Config check, String rule) {
    return check.getConfigList("findings").stream()
        .filter(one -> rule.isEmpty() || one.getString("rule").equals(rule))
        .toList();
  }

  /** Whether a finding is about something that is defective on purpose. */
  private static boolean isOfSick(Config finding) {
    String all = finding.root().toString().toLowerCase(Locale.ROOT);
    return checks.Main.ALL.stream().anyMatch(scenario -> all.contains(scenario.sign()));
  }

  private static Config finding(String rule) {
    Config check =
        page.await(PATH, said -> findings(said, rule).stream().anyMatch(CheckTest::isOfSick));
    return findings(check, rule).stream().filter(CheckTest::isOfSick).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void sick_ofEachRule_isFoundInASentence(String rule) {
    Config finding = finding(rule);
    assertThat(finding.getString("says")).endsWith(".");
    assertThat(finding.getString("costs")).isNotEmpty();
    assertThat(finding.getString("advice")).isNotEmpty();
    assertThat(finding.getLong("sinceMillis")).isPositive();
  }

  @Test
  void healthy_whileAllElseIsFound_isNot() {
    rules().forEach(CheckTest::finding);
    Config check = page.json(PATH);
    assertThat(findings(check, "")).allMatch(CheckTest::isOfSick);
    assertThat(check.getInt("failed")).isZero();
    assertThat(check.getStringList("notLookedAt")).isEmpty();
  }

  private static List<? extends Config> blockedBy(Config check, String actorClass) {
    return findings(check, "thread-blocked").stream()
        .filter(one -> one.getString("where.actorClass").equals(actorClass))
        .toList();
  }

  @Test
  void threadBlocked_ofASleepingActor_namesMessageAndLine() {
    String payment = "checks.BlockedThread$SickPayment";
    Config check = page.await(PATH, said -> !blockedBy(said, payment).isEmpty());
    Config where = blockedBy(check, payment).get(0).getConfig("where");
    assertThat(where.getString("actorClass")).isEqualTo("checks.BlockedThread$SickPayment");
    assertThat(where.getString("messageClass")).isEqualTo("java.lang.String");
    assertThat(where.getString("dispatcher")).isEqualTo("pekko.actor.default-dispatcher");
    assertThat(where.getString("line"))
        .startsWith("checks.BlockedThread$Sleeping.charge(BlockedThread.java:");
  }

  @Test
  void commandLine_withFindings_hasTheExitCodeOfTheLevel() {
    finding("restart-loop");
    Program found = page.command(Jdk.own(), "check", "--fail-on", "critical");
    assertThat(found.said())
        .contains("critical, certain, since 2", "/user/sick-feed was restarted");
    assertThat(found.code()).isEqualTo(3);
    assertThat(page.command(Jdk.own(), "check", "--rule", "none", "--fail-on", "advice").succeeds())
        .contains("0 findings of ");
    assertThat(page.command(Jdk.own(), "check", "--fail-on", "awful").code()).isEqualTo(2);
  }

  @Test
  void browser_ofAGrowingMailbox_tellsWhatWillBe() throws IOException, InterruptedException {
    finding("mailbox-grows");
    assertThat(Browser.looks("what-will-be.mjs", page.urlWithToken()))
        .contains("which mailbox will kill us and when: Mailbox of /user/sick-orders grows by ")
        .containsPattern("wait ever longer.* heap")
        .contains("what will happen: Mailboxes of GrowingMailbox.SickOrders grow by ")
        .contains("which mailbox was the longest of the last minute: checks/user/ sick-orders ");
  }

  @Test
  void finding_thatIsAccepted_isOnlyCounted() {
    finding("dead-letters-repeat");
    String ignored = ACCEPTED + ",dead-letters-repeat:checks.RepeatedDeadLetters.Sick*";
    assertThat(page.set("deimos.check.ignore", ignored)).isEqualTo(200);
    Config check =
        page.await(
            PATH,
            said -> said.getInt("ignored") > 0 && findings(said, "dead-letters-repeat").isEmpty());
    assertThat(findings(check, "dead-letters-repeat")).isEmpty();
    assertThat(page.set("deimos.check.ignore", ACCEPTED)).isEqualTo(200);
  }

  @Test
  void ignored_nameThatNoRuleHas_isToldWithThoseThatThereAre() {
    assertThat(page.set("deimos.check.ignore", "restart-lop:/user/feed")).isEqualTo(200);
    assertThat(jvm.awaitErr("the name", line -> line.contains("names no rule")))
        .startsWith("deimos: deimos.check.ignore=restart-lop:/user/feed names no rule")
        .contains(rules().toList());
    assertThat(page.set("deimos.check.ignore", ACCEPTED)).isEqualTo(200);
  }
}
