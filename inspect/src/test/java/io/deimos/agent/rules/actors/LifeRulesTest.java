// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.observer.EntityStarts;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rules about how long actors live and how entities share their load, each at its limits. */
class LifeRulesTest {
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

  /** Five minutes and a point. */
  private static ActorsNeverStopped.Population population(
      double idleShare, LongUnaryOperator started) {
    return new ActorsNeverStopped.Population("shop.Session", points(151, started), idleShare);
  }

  @Test
  void actors_madeAllTheTimeOfWhichNoneStops_areFound() {
    Finding finding = judge(new ActorsNeverStopped(), population(0.9, i -> 850 + i)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "1,000 actors of Session live, 30 more a minute; none has ever stopped, and 90 % of the"
                + " oldest are idle.");
    assertThat(finding.sure()).isEqualTo(Finding.Sure.LIKELY);
    assertThat(finding.where().actorClass()).isEqualTo("shop.Session");
    assertThat(finding.evidence()).isEqualTo("#/actors?class=shop.Session");
  }

  @Test
  void actors_fewOrAtWorkOrKnownForAShortTime_areHealthy() {
    assertThat(judge(new ActorsNeverStopped(), population(0.9, i -> 849 + i))).isEmpty();
    assertThat(judge(new ActorsNeverStopped(), population(0.89, i -> 850 + i))).isEmpty();
    ActorsNeverStopped.Population young =
        new ActorsNeverStopped.Population("shop.Session", points(135, i -> 1000 + i), 1);
    assertThat(judge(new ActorsNeverStopped(), young)).isEmpty();
  }

  @Test
  void actors_madeAtTheStartOrInABurstOrEverFewer_areHealthy() {
    assertThat(judge(new ActorsNeverStopped(), population(1, i -> 5000))).isEmpty();
    assertThat(judge(new ActorsNeverStopped(), population(1, i -> i < 150 ? 900 : 1000))).isEmpty();
    assertThat(judge(new ActorsNeverStopped(), population(1, i -> i < 10 ? i : 2000))).isEmpty();
    ActorsNeverStopped.Population fading =
        population(1, i -> i <= 112 ? i * 70 : 7840 + (i - 112) * 20);
    assertThat(judge(new ActorsNeverStopped(), fading)).as("all keys have been seen").isEmpty();
  }

  /** A shard with so many messages of 1,200 in two seconds. */
  private static Skew.ShardLoad load(long shards, LongUnaryOperator messages) {
    return new Skew.ShardLoad(
        "pekko://shop/system/sharding/Cart/7",
        points(31, messages),
        points(31, i -> i * 1200),
        shards);
  }

  @Test
  void shard_withMostMessagesOfItsType_isFound() {
    Finding finding = judge(new Skew(), load(5, i -> i * 600)).get(0);
    assertThat(finding.words().says())
        .isEqualTo(
            "/system/sharding/Cart/7 gets 50 % of the messages for the 5 shards of its type on this"
                + " node.");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.ADVICE);
    assertThat(finding.where().actor()).isEqualTo("pekko://shop/system/sharding/Cart/7");
  }

  @Test
  void load_evenOrLittleOrOfFewShardsOrOnce_isHealthy() {
    assertThat(judge(new Skew(), load(5, i -> i * 599))).isEmpty();
    assertThat(judge(new Skew(), load(4, i -> i * 1200))).isEmpty();
    assertThat(judge(new Skew(), load(5, i -> i < 25 ? 0 : 36_000))).isEmpty();
    Skew.ShardLoad quiet =
        new Skew.ShardLoad("a", points(31, i -> i * 199), points(31, i -> i * 199), 20);
    assertThat(judge(new Skew(), quiet)).isEmpty();
  }

  @Test
  void entity_thatCannotKeepUp_isToldWithItsShareOfItsShard() {
    Busy busy =
        new Busy(
            "pekko://shop/system/sharding/Cart/7/of-all",
            "shop.Cart",
            512,
            40,
            points(31, i -> 950),
            new Busy.Group(
                Busy.Role.ENTITY, "pekko://shop/system/sharding/Cart/7", 20, 0.76, 0.01));
    assertThat(judge(new Bottleneck(), busy).get(0).words().says())
        .isEqualTo(
            "Entity /system/sharding/Cart/7/of-all is busy for 95 % of the time, and 512 messages"
                + " wait for it; it gets 76 % of the messages for the 20 entities of its shard.");
    assertThat(judge(new PoolUsedAsOne(), busy)).isEmpty();
  }

  private static EntityStarts.Repeated restarting(String type, int starts) {
    return new EntityStarts.Repeated(
        "pekko://shop/system/sharding/" + type + "/7/a",
        "shop." + type,
        starts,
        (starts - 1) * 2_000_000_000L,
        NOW * 1_000_000);
  }

  @Test
  void entities_startedAgainAndAgain_areFoundOnceForTheirClass() {
    List<Finding> found =
        judge(
            new PassivationThrashes(),
            restarting("Cart", 5),
            restarting("Cart", 6),
            restarting("Order", 5));
    assertThat(found)
        .hasSize(2)
        .anySatisfy(
            one -> {
              assertThat(one.words().says())
                  .isEqualTo(
                      "2 entities of Cart stopped and started again and again:"
                          + " /system/sharding/Cart/7/a, the first of them, 5 times, every 2.0 s.");
              assertThat(one.since()).isEqualTo(NOW);
            });
  }

  @Test
  void entities_startedSeldom_areHealthy() {
    assertThat(judge(new PassivationThrashes(), restarting("Cart", 4))).isEmpty();
  }
}
