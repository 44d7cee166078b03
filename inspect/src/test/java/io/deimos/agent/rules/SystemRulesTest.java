// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rules about more than actors, each with what it finds and with what is healthy. */
class SystemRulesTest {
  private static final long NOW = 1_000_000;

  private static List<Finding> judge(Rule rule, Object... facts) {
    List<Finding> found = new ArrayList<>();
    rule.look(Evidence.of(Settings.defaults(), facts), found::add);
    return found;
  }

  /** The value at each of so many points, two seconds apart. */
  private static Series points(int count, LongUnaryOperator value) {
    return Series.every(
        Duration.ofSeconds(2), NOW, LongStream.range(0, count).map(value).toArray());
  }

  private static Pool pool(LongUnaryOperator shortOf) {
    return pool(shortOf, 800);
  }

  /** Two threads, both busy. */
  private static Pool pool(LongUnaryOperator shortOf, int cpuThousandths) {
    return new Pool(
        "narrow",
        2,
        points(31, i -> 2),
        points(31, i -> 2),
        points(31, shortOf),
        points(31, i -> i),
        points(31, i -> shortOf.applyAsLong(i) * cpuThousandths));
  }

  @Test
  void dispatcherThreads_allBusyWhileTasksWait_isFound() {
    Finding finding = judge(new DispatcherThreads(), pool(i -> i)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "All 2 threads of narrow were busy while tasks waited and the CPU had room, in 100 % of"
                + " the last minute.");
    assertThat(finding.where()).isEqualTo(Where.dispatcher("narrow"));
    assertThat(judge(new DispatcherThreads(), pool(i -> i / 2))).hasSize(1);
  }

  @Test
  void dispatcherThreads_tasksThatSeldomWait_areHealthy() {
    assertThat(judge(new DispatcherThreads(), pool(i -> 0))).isEmpty();
    assertThat(judge(new DispatcherThreads(), pool(i -> i * 14 / 30))).isEmpty();
  }

  @Test
  void dispatcherThreads_busySinceTheCpuIs_areHealthy() {
    assertThat(judge(new DispatcherThreads(), pool(i -> i, 801))).isEmpty();
  }

  @Test
  void dispatcherThreads_thatMessagesBlock_areAnotherFinding() {
    Where where = Where.actor("a", "shop.Pay").on("narrow");
    Blocked blocked =
        new Blocked(
            where, points(31, i -> i), points(31, i -> i), points(31, i -> i), "Thread.sleep", 0);
    assertThat(judge(new DispatcherThreads(), pool(i -> i), blocked)).isEmpty();
    Blocked seldom =
        new Blocked(
            where, points(31, i -> i / 5), points(31, i -> i), points(31, i -> i), "a lock", 0);
    assertThat(judge(new DispatcherThreads(), pool(i -> i), seldom)).hasSize(1);
  }

  @Test
  void dispatcherThreads_manyThatAreNeverBusy_areFound() {
    Finding finding = judge(new DispatcherThreads(), idle(200, 25, 151)).get(0);
    assertThat(finding.words().says())
        .isEqualTo("narrow has 200 threads, of which 25 at most were busy in the last 5 min.");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.ADVICE);
  }

  @Test
  void dispatcherThreads_manyThatWereBusyOnceOrAreNew_areHealthy() {
    assertThat(judge(new DispatcherThreads(), idle(200, 26, 151))).isEmpty();
    assertThat(judge(new DispatcherThreads(), idle(63, 0, 151))).isEmpty();
    assertThat(judge(new DispatcherThreads(), idle(200, 0, 150))).isEmpty();
  }

  private static Pool idle(long threads, long busiest, int points) {
    return new Pool(
        "narrow",
        threads,
        points(points, i -> threads),
        points(points, i -> i == 3 ? busiest : 0),
        Series.EMPTY,
        Series.EMPTY,
        Series.EMPTY);
  }

  @Test
  void largeMessages_againAndAgain_areFound() {
    Finding finding = judge(new LargeMessages(), large(i -> i)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "30 messages of Image to pekko://shop@b:1 in the last minute had"
                + " deimos.metrics.remote.large-message bytes or more.");
    assertThat(finding.where()).isEqualTo(Where.peer("pekko://shop@b:1").message("shop.Image"));
  }

  @Test
  void largeMessages_fewOrAllAtOnce_areHealthy() {
    assertThat(judge(new LargeMessages(), large(i -> i * 19 / 30))).isEmpty();
    assertThat(judge(new LargeMessages(), large(i -> i < 9 ? 0 : 500))).isEmpty();
  }

  private static Large large(LongUnaryOperator sent) {
    return new Large("pekko://shop@b:1", "shop.Image", points(31, sent));
  }

  @Test
  void javaSerialization_whereMessagesGoToOtherNodes_isFound() {
    JavaSerialized serialized = new JavaSerialized(List.of("shop.Old"), 1);
    assertThat(judge(new JavaSerialization(), serialized))
        .singleElement()
        .extracting(one -> one.where().messageClass())
        .isEqualTo("shop.Old");
  }

  @Test
  void javaSerialization_ofAProcessThatIsAlone_isHealthy() {
    assertThat(judge(new JavaSerialization(), new JavaSerialized(List.of("shop.Old"), 0)))
        .isEmpty();
  }

  @Test
  void telemetryCosts_spansThatAreDroppedAgainAndAgain_areFoundWithTheSetting() {
    Finding full = judge(new TelemetryCosts(), lost(i -> i * 10, i -> 0)).get(0);
    assertThat(full.words().says())
        .isEqualTo("300 spans were dropped in the last minute, since a ring was full.");
    assertThat(full.words().advice()).contains("deimos.tracing.ring-capacity");
    assertThat(judge(new TelemetryCosts(), lost(i -> 0, i -> i * 10)))
        .singleElement()
        .extracting(one -> one.words().says())
        .asString()
        .contains("all rings together");
  }

  @Test
  void telemetryCosts_fewSpansOrOneBurst_areHealthy() {
    assertThat(judge(new TelemetryCosts(), lost(i -> i * 3, i -> 0))).isEmpty();
    assertThat(judge(new TelemetryCosts(), lost(i -> i < 9 ? 0 : 5_000, i -> 0))).isEmpty();
    assertThat(judge(new TelemetryCosts(), lost(i -> 5_000, i -> 0))).isEmpty();
  }

  private static Telemetry lost(LongUnaryOperator ringFull, LongUnaryOperator noMemory) {
    return new Telemetry(points(31, ringFull), points(31, noMemory), Map.of("messages", 99));
  }

  @Test
  void telemetryCosts_seriesCountedAsOther_areFoundByFamily() {
    Telemetry telemetry =
        new Telemetry(Series.EMPTY, Series.EMPTY, Map.of("messages", 1_000, "asks", 99));
    assertThat(judge(new TelemetryCosts(), telemetry))
        .singleElement()
        .extracting(one -> one.words().says())
        .isEqualTo(
            "Series are counted as other, since there is no room to tell them apart: 1,000 of"
                + " messages.");
  }

  private static DispatcherThroughput.Turns turns(int throughput, double meanNanos, long waiting) {
    return new DispatcherThroughput.Turns(
        Where.actor("pekko://shop/user/report", "shop.Report").on("narrow"),
        throughput,
        meanNanos,
        points(31, i -> i < 15 ? 0 : waiting));
  }

  @Test
  void dispatcherThroughput_longTurnsWhileTasksWait_isFound() {
    Rule rule = new DispatcherThroughput();
    assertThat(judge(rule, turns(20, 5e6, 900), pool(i -> i / 2)).get(0).words().says())
        .isEqualTo(
            "/user/report keeps a thread of narrow for 100 ms at a time while other tasks wait:"
                + " throughput is 20, and a message takes 5 ms.");
    assertThat(judge(rule, turns(1000, 2e6, 50), pool(i -> i))).hasSize(1);
  }

  @Test
  void dispatcherThroughput_shortTurnsOrPekkosDefaultOrNobodyWaiting_isHealthy() {
    Rule rule = new DispatcherThroughput();
    assertThat(judge(rule, turns(20, 4.9e6, 900), pool(i -> i))).isEmpty();
    assertThat(judge(rule, turns(1000, 2e6, 49), pool(i -> i))).isEmpty();
    assertThat(judge(rule, turns(5, 5e7, 900), pool(i -> i))).isEmpty();
    assertThat(judge(rule, turns(20, 5e6, 900), pool(i -> i * 14 / 30))).isEmpty();
    assertThat(judge(rule, turns(20, 5e6, 900))).isEmpty();
  }
}
