// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ChecksTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(SECOND);

  /** How many of something there are. */
  private record Count(int value) {}

  private record TestRule(String name, BiConsumer<Evidence, Consumer<Finding>> judge)
      implements Rule {
    @Override
    public About about() {
      return About.of(name, "", "");
    }

    @Override
    public void look(Evidence evidence, Consumer<Finding> found) {
      judge.accept(evidence, found);
    }
  }

  private static Finding finding(String rule, Finding.Severity severity, Where where) {
    return new Finding(
        rule,
        severity,
        Finding.Sure.CERTAIN,
        where,
        null,
        new Finding.Words("It is so.", "", ""),
        null);
  }

  private static Rule finds(String rule, Where... places) {
    return new TestRule(
        rule,
        (evidence, found) -> {
          for (Where where : places) {
            found.accept(finding(rule, Finding.Severity.WARNING, where));
          }
        });
  }

  private Checks checks(Settings settings, Rule... rules) {
    return new Checks(List.of(rules), () -> settings, 1 << 20, 1, clock::get);
  }

  private static CheckResult run(Checks checks) {
    return checks.run(Scan.unbounded());
  }

  @Test
  void run_ofFactsFromASource_givesThemToRules() {
    Rule rule =
        new TestRule(
            "many",
            (evidence, found) -> {
              if (evidence.all(Count.class).get(0).value > 2) {
                found.accept(finding("many", Finding.Severity.ADVICE, Where.HERE));
              }
            });
    Checks checks = checks(Settings.defaults(), rule).with(facts -> facts.add(new Count(3)));
    assertThat(run(checks).findings()).extracting(Finding::rule).containsExactly("many");
  }

  @Test
  void run_twiceWithinASecond_judgesOnce() {
    AtomicInteger runs = new AtomicInteger();
    Checks checks =
        checks(Settings.defaults(), new TestRule("r", (evidence, found) -> runs.incrementAndGet()));
    assertThat(run(checks)).isSameAs(run(checks));
    clock.addAndGet(SECOND);
    run(checks);
    assertThat(runs).hasValue(2);
  }

  @Test
  void run_ofARuleThatThrows_isAFindingThatNamesItBesideTheOthers() {
    Rule bad =
        new TestRule(
            "bad",
            (evidence, found) -> {
              throw new IllegalStateException("no such thing");
            });
    CheckResult result = run(checks(Settings.defaults(), bad, finds("good", Where.actors("a.B"))));
    assertThat(result.left().failed()).isEqualTo(1);
    assertThat(result.findings()).extracting(Finding::rule).containsExactly("good", Checks.OWN);
    assertThat(result.findings().get(1).words().says()).contains("bad", "no such thing");
  }

  @Test
  void run_ofASourceThatThrows_isAFindingThatNamesIt() {
    Checks checks = checks(Settings.defaults(), finds("good", Where.HERE)).with(new Bad());
    assertThat(run(checks).findings())
        .anySatisfy(one -> assertThat(one.words().says()).contains("Bad"));
  }

  private static final class Bad implements Source {
    @Override
    public void look(Facts facts) {
      throw new IllegalStateException();
    }
  }

  @Test
  void findings_areInOrderOfTheirSeverity() {
    Rule rule =
        new TestRule(
            "r",
            (evidence, found) -> {
              for (Finding.Severity severity : Finding.Severity.values()) {
                found.accept(finding("r", severity, Where.actors(severity.word())));
              }
            });
    assertThat(run(checks(Settings.defaults(), rule)).findings())
        .extracting(Finding::severity)
        .containsExactly(
            Finding.Severity.CRITICAL, Finding.Severity.WARNING, Finding.Severity.ADVICE);
  }

  @Test
  void findings_beyondTheBoundOfARule_areCountedAndLeaveOthersAlone() {
    Where[] many = new Where[Checks.MAX_OF_RULE + 5];
    for (int i = 0; i < many.length; i++) {
      many[i] = Where.actors("a.B" + i);
    }
    CheckResult result =
        run(checks(Settings.defaults(), finds("flood", many), finds("one", Where.HERE)));
    assertThat(result.left().findings()).isEqualTo(5);
    assertThat(result.findings()).extracting(Finding::rule).contains("one");
  }

  @Test
  void findings_thatAreIgnored_areCountedOnly() {
    Settings settings =
        Settings.defaults()
            .with(
                Keys.CHECK_IGNORE,
                List.of("whole", "some:/user/old*", "some:Legacy", "some:pekko.blocking"));
    CheckResult result =
        run(
            checks(
                settings,
                finds("whole", Where.HERE),
                finds(
                    "some",
                    Where.actor("pekko://shop/user/old-1", "a.B"),
                    Where.actors("shop.Legacy"),
                    Where.dispatcher("pekko.blocking"),
                    Where.actor("pekko://shop/user/new-1", "a.B"))));
    assertThat(result.left().ignored()).isEqualTo(4);
    assertThat(result.findings())
        .extracting(one -> one.where().actor())
        .containsExactly("pekko://shop/user/new-1");
  }

  @Test
  void since_ofAFindingThatStays_isThatOfTheFirstRun() {
    Checks checks = checks(Settings.defaults(), finds("r", Where.HERE));
    Long first = run(checks).findings().get(0).since();
    clock.addAndGet(10 * SECOND);
    assertThat(run(checks).findings().get(0).since()).isEqualTo(first);
  }

  @Test
  void note_thatTookItsShare_restsAsLong() {
    AtomicInteger notes = new AtomicInteger();
    Checks checks =
        new Checks(List.of(), Settings::defaults, 1 << 20, 0.1, clock::get)
            .with(
                new Source() {
                  @Override
                  public void note(Past.Notes to) {
                    notes.incrementAndGet();
                    clock.addAndGet(SECOND);
                  }

                  @Override
                  public void look(Facts facts) {}
                });
    checks.note();
    clock.addAndGet(9 * SECOND);
    checks.note();
    assertThat(notes).hasValue(1);
    clock.addAndGet(SECOND);
    checks.note();
    assertThat(notes).hasValue(2);
  }

  @Test
  void note_whileItIsOff_looksAtNothing() {
    AtomicInteger notes = new AtomicInteger();
    Settings off = Settings.defaults().with(Keys.CHECK, false);
    Checks checks =
        checks(off)
            .with(
                new Source() {
                  @Override
                  public void note(Past.Notes to) {
                    notes.incrementAndGet();
                  }

                  @Override
                  public void look(Facts facts) {}
                });
    checks.note();
    assertThat(notes).hasValue(0);
    assertThat(checks.isOn()).isFalse();
  }
}
