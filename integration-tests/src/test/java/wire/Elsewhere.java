// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.pattern.Patterns;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;

/** Puts shards on another node than the oldest, which is the coordinator's, while there is one. */
final class Elsewhere extends ShardCoordinator.AbstractShardAllocationStrategy {
  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester, String shardId, Map<ActorRef, IndexedSeq<String>> regions) {
    ActorRef chosen =
        regions.keySet().stream()
            .filter(region -> region.path().address().hasGlobalScope())
            .findFirst()
            .orElseGet(() -> regions.keySet().iterator().next());
    return Futures.successful(chosen);
  }

  @Override
  public Future<Set<String>> rebalance(
      Map<ActorRef, IndexedSeq<String>> regions, Set<String> inProgress) {
    return Futures.successful(Set.of());
  }

  /** Waits until the shards of a type can be on either of two nodes. */
  static void awaitRegions(Stage stage, String type) throws Exception {
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(type);
    Moves.until(
        "a region on each node",
        () ->
            Patterns.ask(region, ShardRegion.getCurrentRegionsInstance(), Stage.PATIENCE)
                    .thenApply(ShardRegion.CurrentRegions.class::cast)
                    .toCompletableFuture()
                    .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .getRegions()
                    .size()
                == 2);
  }
}
