// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.SKEW_RATE;
import static io.deimos.agent.settings.CheckKeys.SKEW_SHARE;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Finds shards that get most messages of their type on this node. A few cannot share evenly, and a
 * little load is no burden for one. {@link Bottleneck} finds an entity that cannot keep up.
 */
final class Skew extends ActorRule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration LEAST = Duration.ofSeconds(18);
  private static final int LEAST_SHARDS = 5;

  /**
   * Messages for the entities of one shard of this node.
   *
   * @param shard the path of its actor
   * @param messages how many so far
   * @param ofType how many for all shards of the type on this node
   * @param shards how many of them there are
   */
  record ShardLoad(String shard, Series messages, Series ofType, long shards) {}

  Skew() {
    super(
        "skew",
        "One shard got most messages of its type on this node.",
        "Derive the shard from a hash of the whole entity id; split what a hot entity stands for.",
        SKEW_SHARE,
        SKEW_RATE);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (ShardLoad load : evidence.all(ShardLoad.class)) {
      double share =
          (double) load.messages.last(WINDOW).growth()
              / Math.max(1, load.ofType.last(WINDOW).growth());
      if (load.shards >= LEAST_SHARDS
          && share >= evidence.get(SKEW_SHARE)
          && isSteady(load.messages.last(WINDOW), evidence.get(SKEW_RATE))) {
        found.accept(finding(load, share));
      }
    }
  }

  /** Whether messages came at this rate in each third of the time. */
  private static boolean isSteady(Series messages, double perSecond) {
    return messages.length().compareTo(LEAST) >= 0
        && IntStream.range(0, 3).allMatch(i -> messages.third(i).perSecond() >= perSecond);
  }

  private Finding finding(ShardLoad load, double share) {
    return finding(
            Where.actor(load.shard, ""),
            0,
            "%s gets %s of the messages for the %s of its type on this node."
                .formatted(
                    Figures.path(load.shard),
                    Figures.share(share),
                    Figures.of(load.shards, "shard")),
            "A shard moves as a whole, so its node cannot share this load with others.",
            actor(load.shard))
        .as(Finding.Severity.ADVICE, Finding.Sure.CERTAIN);
  }
}
