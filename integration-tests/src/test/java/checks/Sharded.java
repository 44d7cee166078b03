// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;

/** A message for a sharded entity. */
record Sharded(String id) {
  private static final int SHARDS = 10;

  /** Starts a type of entities; its region. */
  static ActorRef start(ActorSystem system, String type, Class<?> entity) {
    return ClusterSharding.get(system)
        .start(
            type,
            Props.create(entity),
            ClusterShardingSettings.create(system),
            new ShardRegion.HashCodeMessageExtractor(SHARDS) {
              @Override
              public String entityId(Object message) {
                return message instanceof Sharded to ? to.id() : null;
              }
            });
  }
}
