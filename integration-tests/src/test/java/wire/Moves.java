// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocation;
import org.apache.pekko.cluster.sharding.external.javadsl.ExternalShardAllocationClient;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import wire.Messages.Begin;
import wire.Messages.Work;

/** Shards that move from this node to the peer. */
final class Moves {
  private static final int MESSAGES = 300;
  private static final String TYPED_MOVER = "mover";

  private Moves() {}

  static void addTo(Rows all) {
    all.add("sharding-moves", Moves::classic);
    all.add("sharding-typed-moves", Moves::typed);
    all.add("remembered-moves", Moves::remembered);
  }

  /** Puts a shard on the peer, or here. */
  static void place(Stage stage, String type, String shard, boolean there) throws Exception {
    ExternalShardAllocationClient client =
        ((ExternalShardAllocation) ExternalShardAllocation.get(stage.system())).getClient(type);
    client
        .setShardLocation(shard, there ? stage.peer() : Cluster.get(stage.system()).selfAddress())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    TimeUnit.SECONDS.sleep(1); // the coordinator hears of it by gossip
  }

  static String typedShard(String entity) {
    return String.valueOf(Math.abs(entity.hashCode() % 10));
  }

  static EntityRef<Services.Question> typedEntity(Stage stage, String entity) {
    return org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(stage.system()))
        .entityRefFor(ClusterServices.TYPED_ENTITY, entity);
  }

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void classic(Stage stage) throws Exception {
    String type = ClusterServices.SHARDED;
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(type);
    move(stage, type, "3", f -> region.tell(new Work(3), f.getSelf()));
  }

  private static void typed(Stage stage) throws Exception {
    EntityRef<Services.Question> entity = typedEntity(stage, TYPED_MOVER);
    move(
        stage,
        ClusterServices.TYPED_ENTITY.name(),
        typedShard(TYPED_MOVER),
        f -> entity.tell(new Services.Question(1, Adapter.toTyped(f.getSelf()))));
  }

  /** Messages go on while their shard moves to the peer: some wait in the hand-off. */
  private static void move(Stage stage, String type, String shard, Consumer<Front> send)
      throws Exception {
    place(stage, type, shard, false);
    ActorRef front = stage.front(send);
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(1);
    place(stage, type, shard, true);
    for (int i = 0; i < MESSAGES; i++) {
      front.tell(new Begin(), ActorRef.noSender());
      TimeUnit.MILLISECONDS.sleep(10); // not more than both nodes can do
    }
    stage.await(MESSAGES);
  }

  /** The entity at the peer, if it is there. */
  private static CompletableFuture<ActorRef> found(
      Stage stage, String type, String shard, String entity) {
    return stage
        .selection("/system/sharding/" + type + "/" + shard + "/" + entity)
        .resolveOne(java.time.Duration.ofSeconds(5))
        .toCompletableFuture();
  }

  /** The entity starts anew at the peer since it is remembered, before anybody sends to it. */
  private static void remembered(Stage stage) throws Exception {
    String type = ClusterServices.STARTING;
    place(stage, type, "4", false);
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(type);
    ActorRef front = stage.front(f -> region.tell(new Work(4), f.getSelf()));
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(1);
    place(stage, type, "4", true);
    until(
        "the remembered entity",
        () -> {
          CompletableFuture<ActorRef> found = found(stage, type, "4", "4");
          return found.handle((there, failure) -> failure == null).get(90, TimeUnit.SECONDS);
        });
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }
}
