// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The first rules, each with what it finds and with what looks like it and is healthy. */
class FirstRulesTest {
  private static final long NOW = 1_000_000;
  private static final String DEFAULT = "pekko.actor.default-dispatcher";

  private static List<Finding> judge(Rule rule, Object... facts) {
    List<Finding> found = new ArrayList<>();
    rule.look(Evidence.of(Settings.defaults(), facts), found::add);
    return found;
  }

  /** A minute of points: the value at each, by its number from 0 to 30. */
  private static Series minute(LongUnaryOperator value) {
    return Series.every(
        Duration.ofSeconds(2), NOW, LongStream.rangeClosed(0, 30).map(value).toArray());
  }

  private static Mailbox mailbox(String actor, LongUnaryOperator value) {
    return new Mailbox(actor, "shop.Orders", minute(value), 300);
  }

  @Test
  void mailboxGrows_steadily_isFoundWithItsRate() {
    Finding finding =
        judge(new MailboxGrows(), mailbox("pekko://shop/user/orders", i -> i * 2_400)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "Mailbox of /user/orders grows by 1,200 messages a second; 72,000 wait, and it"
                + " processes 300 a second.");
    assertThat(finding.sure()).isEqualTo(Finding.Sure.CERTAIN);
    assertThat(finding.since()).isEqualTo(NOW - 60_000);
    assertThat(finding.evidence()).isEqualTo("#/actor/shop/user/orders");
  }

  @Test
  void mailboxGrows_burstThatIsWorkedOff_isHealthy() {
    assertThat(judge(new MailboxGrows(), mailbox("a", i -> Math.max(0, 90_000 - i * 3_000))))
        .isEmpty();
    assertThat(judge(new MailboxGrows(), mailbox("a", i -> i % 10 * 2_000))).isEmpty();
    assertThat(judge(new MailboxGrows(), mailbox("a", i -> 50_000))).isEmpty();
    assertThat(judge(new MailboxGrows(), mailbox("a", i -> i * 30))).isEmpty();
  }

  @Test
  void mailboxGrows_beyondWhatIsCounted_isFoundAsLongAsItIsSo() {
    Mailbox full = mailbox("pekko://shop/user/orders", i -> Math.min(100_000, i * 10_000));
    Finding finding = judge(new MailboxGrows(), full).get(0);
    assertThat(finding.severity()).isEqualTo(Finding.Severity.CRITICAL);
    assertThat(finding.words().says()).contains("beyond what is counted; at least 100,000 wait");
    assertThat(judge(new MailboxGrows(), mailbox("a", i -> 100_000))).hasSize(1);
  }

  @Test
  void mailboxGrows_ofAClassWithoutALargeActor_isFoundOnce() {
    Mailbox all = new Mailbox("", "shop.Orders", minute(i -> i * 2_400), 0);
    assertThat(judge(new MailboxGrows(), all)).hasSize(1);
    assertThat(judge(new MailboxGrows(), mailbox("pekko://shop/user/orders", i -> i * 2_400), all))
        .extracting(one -> one.where().actor())
        .containsExactly("pekko://shop/user/orders");
  }

  private static Blocked blocked(
      String dispatcher, LongUnaryOperator seen, LongUnaryOperator starved) {
    return new Blocked(
        Where.actor("pekko://shop/user/pay", "shop.Pay")
            .message("shop.Pay$Charge")
            .line("shop.Pay.charge(Pay.java:42)")
            .on(dispatcher),
        minute(seen),
        minute(i -> i),
        minute(starved),
        "Thread.sleep",
        0);
  }

  @Test
  void threadBlocked_onTheDefaultDispatcher_isFoundWithItsLine() {
    Finding finding = judge(new ThreadBlocked(), blocked(DEFAULT, i -> i / 2, i -> 0)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "Pay blocks threads of pekko.actor.default-dispatcher in Thread.sleep while it processes"
                + " Pay.Charge: 0.5 threads on average in the last minute, at"
                + " shop.Pay.charge(Pay.java:42).");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(judge(new ThreadBlocked(), blocked(DEFAULT, i -> i, i -> i)).get(0).severity())
        .isEqualTo(Finding.Severity.CRITICAL);
  }

  @Test
  void threadBlocked_onADispatcherOfItsOwn_isHealthyUntilTasksWait() {
    assertThat(judge(new ThreadBlocked(), blocked("blocking", i -> i * 8, i -> 0))).isEmpty();
    assertThat(judge(new ThreadBlocked(), blocked("blocking", i -> i * 8, i -> i))).hasSize(1);
  }

  @Test
  void threadBlocked_onceOrTwice_isHealthy() {
    assertThat(judge(new ThreadBlocked(), blocked(DEFAULT, i -> i / 15, i -> 0))).isEmpty();
  }

  @Test
  void restartLoop_ofOneActor_isFound() {
    Restarted loop = new Restarted("pekko://shop/user/feed", "shop.Feed", minute(i -> i), 1);
    Finding finding = judge(new RestartLoop(), loop).get(0);
    assertThat(finding.words().says())
        .isEqualTo("/user/feed was restarted 30 times in the last 60 s.");
    assertThat(finding.since()).isEqualTo(NOW - 58_000);
    assertThat(finding.severity()).isEqualTo(Finding.Severity.CRITICAL);
  }

  @Test
  void restartLoop_ofAnActorThatWorksInBetween_isAWarning() {
    assertThat(judge(new RestartLoop(), restarted(i -> i)).get(0).severity())
        .isEqualTo(Finding.Severity.WARNING);
  }

  @Test
  void restartLoop_thatEndedOrCameAtOnce_isHealthy() {
    assertThat(judge(new RestartLoop(), restarted(i -> i < 15 ? 0 : 40))).isEmpty();
    assertThat(judge(new RestartLoop(), restarted(i -> Math.min(i, 10)))).isEmpty();
    assertThat(judge(new RestartLoop(), restarted(i -> i / 10))).isEmpty();
  }

  private static Restarted restarted(LongUnaryOperator times) {
    return new Restarted("pekko://shop/user/feed", "shop.Feed", minute(times), 100);
  }

  private static Trouble letters(String kind, LongUnaryOperator count) {
    TroubleGroup.Cause cause =
        new TroubleGroup.Cause(kind, "", "shop.Tick", "no actor of that path");
    return new Trouble(new TroubleGroup("1", "", cause, 30, 0, 0, List.of()), minute(count));
  }

  @Test
  void deadLetters_againAndAgain_areFound() {
    Finding finding = judge(new DeadLettersRepeat(), letters("dead_letter", i -> i * 3)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "90 messages of Tick became dead letters in the last 60 s: no actor of that path.");
    assertThat(finding.where().messageClass()).isEqualTo("shop.Tick");
  }

  @Test
  void deadLetters_thatCameOnce_areHealthy() {
    assertThat(judge(new DeadLettersRepeat(), letters("dead_letter", i -> i < 20 ? 0 : 500)))
        .isEmpty();
    assertThat(judge(new DeadLettersRepeat(), letters("dead_letter", i -> i / 4))).isEmpty();
    assertThat(judge(new DeadLettersRepeat(), letters("failure", i -> i * 3))).isEmpty();
  }
}
