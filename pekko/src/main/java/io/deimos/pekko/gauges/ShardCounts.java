// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Heaviest;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.woven.NumberFields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.Actor;

/**
 * Deliveries and passivations of the shards of this node, counted by themselves and read here:
 * deliveries of the few shards with the most, of each type of entity, and of all others together. A
 * shard that has ended is read once more, so that nothing it counted is lost.
 */
final class ShardCounts {
  /** How many shards of a type are told by themselves. */
  private static final int FEW = 10;

  private static final String OTHER = "other";

  private final String system;
  private final IdentityHashMap<Actor, Seen> shards = new IdentityHashMap<>();
  private final Map<String, Heaviest<String>> heaviest = new HashMap<>();

  ShardCounts(String system) {
    this.system = system;
  }

  /** A shard is there. */
  void see(Actor shard, String type, String id, Object entities) {
    shards.computeIfAbsent(shard, s -> new Seen(s, entities, type, id)).there = true;
  }

  /** All that there are have been seen. */
  void settle() {
    Map<String, Map<String, Long>> grown = new HashMap<>();
    for (Seen seen : shards.values()) {
      seen.read();
      grown
          .computeIfAbsent(seen.type, t -> new HashMap<>())
          .merge(seen.id, seen.delivered, Long::sum);
    }
    Map<String, Set<String>> few = new HashMap<>();
    grown.forEach(
        (type, byShard) ->
            few.put(type, heaviest.computeIfAbsent(type, t -> new Heaviest<>(FEW)).of(byShard)));
    for (Seen seen : shards.values()) {
      boolean own = few.getOrDefault(seen.type, new HashSet<>()).contains(seen.id);
      Metric.SHARD_MESSAGES.tally().add(seen.delivered, system, seen.type, own ? seen.id : OTHER);
      Metric.PASSIVATIONS.tally().add(seen.passivated, system, seen.type);
    }
    shards.values().removeIf(seen -> !seen.there);
    shards.values().forEach(seen -> seen.there = false);
  }

  /** One shard, and what is new since it was read before. */
  private static final class Seen {
    final String type;
    final String id;
    boolean there;
    long delivered;
    long passivated;
    private final NumberFields deliveries;
    private final NumberFields passivations;
    private long deliveredBefore;
    private long passivatedBefore;

    Seen(Actor shard, Object entities, String type, String id) {
      this.type = type;
      this.id = id;
      deliveries = (NumberFields) shard;
      passivations = (NumberFields) entities;
    }

    void read() {
      long nowDelivered = deliveries.deimos$number();
      long nowPassivated = passivations.deimos$number();
      delivered = nowDelivered - deliveredBefore;
      passivated = nowPassivated - passivatedBefore;
      deliveredBefore = nowDelivered;
      passivatedBefore = nowPassivated;
    }
  }
}
