// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.NumberFields;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Sharded entities. */
final class ShardingFeatures {
  /** The entity that such a message is for is made in its context. */
  static final Feature ENTITY_START =
      Feature.named("ENTITY_START")
          .usedWith("org.apache.pekko.cluster.sharding.Shard")
          .needs(Need.TRACING)
          .in("org.apache.pekko.cluster.sharding.Shard")
          .method("getOrCreateEntity")
          .takes("java.lang.String")
          .weave("BufferAdvice$Making")
          .build();

  /** The entity of this node that an ask got to. */
  static final Feature ENTITY_FOUND =
      Feature.named("ENTITY_FOUND")
          .usedWith("org.apache.pekko.cluster.sharding.Shard")
          .needs(Need.TRACING)
          .in("org.apache.pekko.cluster.sharding.Shard")
          .method("org$apache$pekko$cluster$sharding$Shard$$deliverMessage")
          .takes("java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .called("Shard.deliverMessage.asked")
          .weave("EntityAdvice$Delivering")
          .in("org.apache.pekko.cluster.sharding.Shard$Active")
          .method("ref")
          .weave("EntityAdvice$Found")
          .in("org.apache.pekko.cluster.sharding.Shard")
          .method("getOrCreateEntity")
          .takes("java.lang.String")
          .called("Shard.getOrCreateEntity.asked")
          .weave("EntityAdvice$Found")
          .build();

  /** How shards move, what is delivered to them, and which entities are put to rest. */
  static final Feature SHARDING =
      Feature.named("SHARDING")
          .usedWith("org.apache.pekko.cluster.sharding.Shard")
          .needs(Need.METRICS)
          .in("org.apache.pekko.cluster.sharding.ShardCoordinator$RebalanceWorker")
          .fields(NumberFields.class)
          .constructor()
          .takes(
              "java.lang.String",
              "java.lang.String",
              "org.apache.pekko.actor.ActorRef",
              "scala.concurrent.duration.FiniteDuration",
              "scala.collection.immutable.Set",
              "boolean")
          .weave("ClusterAdvice$HandOff")
          .method("done")
          .takes("boolean")
          .weave("ClusterAdvice$HandedOff")
          .in("org.apache.pekko.cluster.sharding.Shard")
          .fields(NumberFields.class)
          .method("org$apache$pekko$cluster$sharding$Shard$$deliverMessage")
          .takes("java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .weave("ClusterAdvice$Counted")
          .in("org.apache.pekko.cluster.sharding.Shard$Entities")
          .fields(NumberFields.class)
          .method("entityPassivating")
          .takes("java.lang.String")
          .weave("ClusterAdvice$Counted")
          .build();

  /** How long messages wait until their region knows where the shard is. */
  static final Feature SHARD_HOME =
      Feature.named("SHARD_HOME")
          .usedWith("org.apache.pekko.cluster.sharding.ShardRegion")
          .needs(Need.METRICS)
          .in("org.apache.pekko.cluster.sharding.ShardRegion")
          .fields(RefFields.class)
          .method("bufferMessage")
          .takes("java.lang.String", "java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .weave("ShardHomeAdvice$Waits")
          .method("receiveShardHome")
          .takes("java.lang.String", "org.apache.pekko.actor.ActorRef")
          .weave("ShardHomeAdvice$Found")
          .method("deliverBufferedMessages")
          .takes("java.lang.String", "org.apache.pekko.actor.ActorRef")
          .weave("ShardHomeAdvice$Started")
          .build();

  static final List<Feature> ALL = List.of(ENTITY_START, ENTITY_FOUND, SHARDING, SHARD_HOME);

  private ShardingFeatures() {}
}
