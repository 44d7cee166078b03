// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.messages.AskSite;
import io.deimos.agent.messages.AsksSeen;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.messages.Ticks;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rules about actors, each at its limits. */
class ActorRulesTest {
  private static final long NOW = 1_000_000;
  private static final long MILLI = 1_000_000;
  private static final AskSite OUTSIDE = new AskSite("", "shop.Cart", "shop.Cart$Checkout");
  private static final AskSite CART = new AskSite("shop.Cart", "shop.Store", "shop.Store$Take");
  private static final AskSite STORE = new AskSite("shop.Store", "shop.Disk", "shop.Disk$Read");
  private static final AskSite DISK = new AskSite("shop.Disk", "shop.Head", "shop.Head$Move");

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

  private static AsksSeen.Seen seen(int times) {
    return new AsksSeen.Seen(times, NOW * MILLI, new SpanRef(0, 10, 11));
  }

  private static AsksSeen.Nested nested(int times, int longer, int unwaited) {
    return new AsksSeen.Nested(
        OUTSIDE, CART, unwaited, longer, 3000 * MILLI, 5000 * MILLI, seen(times));
  }

  @Test
  void innerAsk_withALongerTimeOut_isFoundWithBothTimes() {
    Finding finding = judge(new AskTimesOutLater(), nested(3, 3, 0)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "Cart asks Store and waits up to 5.0 s, while a caller outside of actors, which waits"
                + " for that, gives up after 3.0 s (seen 3 times).");
    assertThat(finding.where().actorClass()).isEqualTo("shop.Cart");
    assertThat(finding.where().messageClass()).isEqualTo("shop.Store$Take");
    assertThat(finding.since()).isEqualTo(NOW);
    assertThat(finding.evidence())
        .isEqualTo("#/trace/0000000000000000000000000000000a/000000000000000b");
    assertThat(judge(new AskTimesOutLater(), nested(20, 18, 2))).hasSize(1);
  }

  @Test
  void innerAsk_seldomLongerOrNotWaitedFor_isHealthy() {
    assertThat(judge(new AskTimesOutLater(), nested(2, 2, 0))).isEmpty();
    assertThat(judge(new AskTimesOutLater(), nested(20, 0, 0))).isEmpty();
    assertThat(judge(new AskTimesOutLater(), nested(20, 17, 0))).isEmpty();
    assertThat(judge(new AskTimesOutLater(), nested(20, 20, 3))).isEmpty();
  }

  @Test
  void innerAsk_ofSeveralOuterOnes_isFoundOnceWithTheShortest() {
    AsksSeen.Nested other =
        new AsksSeen.Nested(DISK, CART, 0, 9, 1000 * MILLI, 5000 * MILLI, seen(9));
    assertThat(judge(new AskTimesOutLater(), nested(9, 9, 0), other))
        .singleElement()
        .satisfies(one -> assertThat(one.words().says()).contains("Disk", "gives up after 1.0 s"));
  }

  private static AsksSeen.Chain chain(int times, AskSite... sites) {
    return new AsksSeen.Chain(List.of(sites), seen(times));
  }

  @Test
  void chain_ofThreeActorsThatAsk_isFound() {
    assertThat(judge(new AskChain(), chain(3, OUTSIDE, CART, STORE, DISK)).get(0).words().says())
        .isEqualTo(
            "4 asks open at once, each for the one before: a caller outside of actors asks Cart,"
                + " which asks Store, which asks Disk, which asks Head (seen 3 times).");
    assertThat(judge(new AskChain(), chain(3, CART, STORE, DISK), chain(9, CART, STORE)))
        .hasSize(1);
  }

  @Test
  void chain_ofTwoActorsOrSeldom_isHealthy() {
    assertThat(judge(new AskChain(), chain(100, OUTSIDE, CART, STORE))).isEmpty();
    assertThat(judge(new AskChain(), chain(2, CART, STORE, DISK))).isEmpty();
  }

  private static AsksSeen.Timed timed(int answered, int timedOut, long p99Millis) {
    return new AsksSeen.Timed(
        CART, 1000 * MILLI, answered, timedOut, p99Millis * MILLI, seen(answered + timedOut));
  }

  @Test
  void answers_closeToTheTimeOut_areFound() {
    assertThat(judge(new AskTimeoutTight(), timed(200, 7, 800)).get(0).words().says())
        .isEqualTo(
            "One answer in a hundred from Store to Cart takes 800 ms or longer, and the ask gives"
                + " up after 1.0 s; of the last 207 asks, 7 timed out.");
  }

  @Test
  void answers_quickOrFew_areHealthy_evenIfAsksForNobodyTimeOut() {
    assertThat(judge(new AskTimeoutTight(), timed(200, 0, 799))).isEmpty();
    assertThat(judge(new AskTimeoutTight(), timed(199, 0, 999))).isEmpty();
    assertThat(judge(new AskTimeoutTight(), timed(300, 100, 20))).isEmpty();
  }

  private static Backlog backlog(Backlog.Kind kind, LongUnaryOperator waiting) {
    return new Backlog(kind, "pekko://shop/user/orders", "shop.Orders", minute(waiting));
  }

  @Test
  void mailboxWithoutABound_onceVeryLong_isFoundWithItsPeak() {
    Backlog burst = backlog(Backlog.Kind.MAILBOX, i -> i == 15 ? 10_000 : 12);
    assertThat(judge(UnboundedLarge.mailbox(), burst).get(0).words().says())
        .isEqualTo(
            "The mailbox of /user/orders has no bound: up to 10,000 messages were in it in the last"
                + " ten minutes, now 12.");
    assertThat(judge(UnboundedLarge.stash(), burst)).isEmpty();
    assertThat(judge(UnboundedLarge.mailbox(), backlog(Backlog.Kind.MAILBOX, i -> 9_999)))
        .isEmpty();
  }

  @Test
  void stashWithoutABound_onceLong_isFound() {
    Backlog stash = backlog(Backlog.Kind.STASH, i -> i == 15 ? 1_000 : 0);
    assertThat(judge(UnboundedLarge.stash(), stash).get(0).rule())
        .isEqualTo("stash-unbounded-large");
    assertThat(judge(UnboundedLarge.mailbox(), stash)).isEmpty();
    assertThat(judge(UnboundedLarge.stash(), backlog(Backlog.Kind.STASH, i -> 999))).isEmpty();
  }

  @Test
  void queue_ofPekkosWithoutABound_isUnbounded() {
    String dispatch = "org.apache.pekko.dispatch.";
    assertThat(BacklogSource.isUnbounded(dispatch + "UnboundedMailbox$MessageQueue")).isTrue();
    assertThat(BacklogSource.isUnbounded(dispatch + "NodeMessageQueue")).isTrue();
    assertThat(BacklogSource.isUnbounded(dispatch + "BoundedMailbox$MessageQueue")).isFalse();
    assertThat(BacklogSource.isUnbounded(dispatch + "BoundedNodeMessageQueue")).isFalse();
    assertThat(BacklogSource.isUnbounded("shop.UnboundedQueue")).isFalse();
  }

  private static Busy busy(
      Busy.Role role, double shareOfPool, double leastBusy, LongUnaryOperator busy) {
    return new Busy(
        "pekko://shop/user/pricing/$a",
        "shop.Pricing",
        512,
        40,
        minute(busy),
        new Busy.Group(role, "pekko://shop/user/pricing", 5, shareOfPool, leastBusy));
  }

  @Test
  void actor_busyForHalfAMinuteWhileMessagesWait_isABottleneck() {
    assertThat(
            judge(new Bottleneck(), busy(Busy.Role.SINGLETON, 1, 1, i -> 950))
                .get(0)
                .words()
                .says())
        .isEqualTo(
            "Singleton /user/pricing/$a is busy for 95 % of the time, and 512 messages wait for"
                + " it.");
    Finding finding =
        judge(new Bottleneck(), busy(Busy.Role.ONE, 1, 1, i -> i < 15 ? 0 : 800)).get(0);
    assertThat(finding.since()).isEqualTo(NOW - 30_000);
    assertThat(finding.words().costs()).contains("40 messages a second");
  }

  @Test
  void actor_busyInBurstsOrHalfTheTime_isHealthy() {
    assertThat(judge(new Bottleneck(), busy(Busy.Role.ONE, 1, 1, i -> i < 20 ? 0 : 950))).isEmpty();
    assertThat(judge(new Bottleneck(), busy(Busy.Role.ONE, 1, 1, i -> i % 10 * 110))).isEmpty();
    assertThat(judge(new Bottleneck(), busy(Busy.Role.ONE, 1, 1, i -> 799))).isEmpty();
  }

  @Test
  void pool_inWhichAllAreBusy_isABottleneckOnce() {
    Busy one = busy(Busy.Role.ROUTEE, 0.2, 0.9, i -> 950);
    assertThat(judge(new Bottleneck(), one, one))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.where().actor()).isEqualTo("pekko://shop/user/pricing");
              assertThat(finding.words().says()).startsWith("All 5 routees of /user/pricing");
            });
    assertThat(judge(new PoolUsedAsOne(), one)).isEmpty();
  }

  @Test
  void pool_inWhichOneRouteeDoesAll_isUsedAsOne() {
    Busy one = busy(Busy.Role.ROUTEE, 0.9, 0, i -> 950);
    assertThat(judge(new PoolUsedAsOne(), one).get(0).words().says())
        .isEqualTo(
            "Routee /user/pricing/$a gets 90 % of the messages of a pool with 5 routees, and cannot"
                + " keep up.");
    assertThat(judge(new Bottleneck(), one)).isEmpty();
    assertThat(judge(new PoolUsedAsOne(), busy(Busy.Role.ROUTEE, 0.89, 0, i -> 950))).isEmpty();
    assertThat(judge(new PoolUsedAsOne(), busy(Busy.Role.ROUTEE, 1, 0, i -> 300))).isEmpty();
    assertThat(judge(new PoolUsedAsOne(), busy(Busy.Role.ONE, 1, 1, i -> 950))).isEmpty();
  }

  private static Failing failing(LongUnaryOperator failed, Series logged) {
    return new Failing("shop.Orders", minute(failed), logged);
  }

  @Test
  void failures_thatNoLogTellsOf_areHidden() {
    assertThat(
            judge(new SupervisorHidesFailures(), failing(i -> i, minute(i -> i / 10)))
                .get(0)
                .words()
                .says())
        .isEqualTo(
            "Orders failed 30 times in the last 60 s, while all actors logged 3 lines of errors"
                + " and warnings.");
  }

  @Test
  void failures_loggedFewOrAtOnce_areHealthy() {
    Rule rule = new SupervisorHidesFailures();
    assertThat(judge(rule, failing(i -> i, minute(i -> i / 3)))).isEmpty();
    assertThat(judge(rule, failing(i -> i / 4, minute(i -> 0)))).isEmpty();
    assertThat(judge(rule, failing(i -> i < 10 ? 0 : 50, minute(i -> 0)))).isEmpty();
  }

  @Test
  void failures_withALoggingLibraryThatIsNotKnown_areNotJudged() {
    assertThat(judge(new SupervisorHidesFailures(), failing(i -> i, Series.EMPTY))).isEmpty();
  }

  private static Ticks ticks(int seen, long handlingMillis, long waitMillis) {
    return ticks(seen, 100, handlingMillis, waitMillis);
  }

  private static Ticks ticks(int seen, long millis, long handlingMillis, long waitMillis) {
    return new Ticks(
        "pekko://shop/user/clock",
        "shop.Clock",
        "shop.Clock$Tick",
        seen,
        millis * MILLI,
        handlingMillis * MILLI,
        waitMillis * MILLI,
        NOW * MILLI);
  }

  @Test
  void timer_quickerThanItsHandler_isFound() {
    assertThat(judge(new TimerOvertakes(), ticks(10, 110, 2_000)).get(0).words().says())
        .isEqualTo(
            "Clock.Tick comes to /user/clock every 100 ms and takes 110 ms; the last one waited for"
                + " 2.0 s.");
  }

  @Test
  void timer_thatItsHandlerKeepsUpWith_isHealthy() {
    assertThat(judge(new TimerOvertakes(), ticks(32, 109, 2_000))).isEmpty();
    assertThat(judge(new TimerOvertakes(), ticks(32, 9, 15, 2_000))).isEmpty();
    assertThat(judge(new TimerOvertakes(), ticks(32, 150, 99))).isEmpty();
    assertThat(judge(new TimerOvertakes(), ticks(9, 150, 2_000))).isEmpty();
  }

  @Test
  void rules_haveNamesOfTheirOwn_andAreSilentWithoutFacts() {
    assertThat(ActorRules.all()).extracting(Rule::id).doesNotHaveDuplicates();
    ActorRules.all().forEach(rule -> assertThat(judge(rule)).as(rule.id()).isEmpty());
  }
}
