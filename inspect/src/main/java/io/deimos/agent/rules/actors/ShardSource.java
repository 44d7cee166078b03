// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Source;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives the {@link Skew.ShardLoad} of the shards with the most messages. */
final class ShardSource implements Source {
  private static final String SHARD = "shard";
  private static final String TYPE = "shards";
  private static final String OTHER = "other";

  @Override
  public void note(Past.Notes notes) {
    Map<String, Long> types = new HashMap<>();
    Metric.SHARD_MESSAGES
        .tally()
        .read()
        .forEach(
            (names, counts) -> {
              types.merge(String.join("\n", names.subList(0, 2)), counts[0], Long::sum);
              if (!names.get(2).equals(OTHER)) {
                notes.count(SHARD, String.join("\n", names), counts[0]);
              }
            });
    types.forEach((type, messages) -> notes.count(TYPE, type, messages));
  }

  @Override
  public void look(Facts facts) {
    for (String subject : facts.subjects(SHARD)) {
      List<String> names = List.of(subject.split("\n", 3));
      List<String> type = names.subList(0, 2);
      facts.add(
          new Skew.ShardLoad(
              "pekko://%s/system/sharding/%s/%s"
                  .formatted(names.get(0), encoded(names.get(1)), encoded(names.get(2))),
              facts.past(SHARD, subject),
              facts.past(TYPE, String.join("\n", type)),
              GaugeReaders.last().of(Metric.SHARDING_SHARDS).getOrDefault(type, 0L)));
    }
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
