// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.ddata.DistributedData;
import org.apache.pekko.cluster.ddata.GCounter;
import org.apache.pekko.cluster.ddata.GCounterKey;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.Replicator;
import org.apache.pekko.cluster.ddata.SelfUniqueAddress;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocationStrategy;
import org.apache.pekko.pattern.Patterns;
import scala.concurrent.duration.FiniteDuration;
import wire.Messages.Done;
import wire.Messages.Work;

/** Known numbers of shards, entities, messages and distributed data. */
final class Metered {
  private static final String TYPE = "metered";
  private static final Duration LONG = Duration.ofSeconds(90);

  private Metered() {}

  static void addTo(Rows all) {
    all.add("metered-open", stage -> open(stage));
    all.add("metered", Metered::entities);
    all.add("metered-moves", Metered::moves);
    all.add("metered-data", Metered::data);
  }

  /** So that there is a region, and a replicator. */
  private static ActorRef open(Stage stage) {
    DistributedData.get(stage.system());
    return ClusterSharding.get(stage.system())
        .start(
            TYPE,
            Props.create(Resting.class),
            ClusterShardingSettings.create(stage.system()).withRememberEntities(false),
            new Odd(),
            new ExternalShardAllocationStrategy(
                stage.system(), TYPE, org.apache.pekko.util.Timeout.create(Duration.ofSeconds(90))),
            PoisonPill.getInstance());
  }

  /**
   * Entities 0, 2, 4 and 6 are here with seven messages, 1 is on the peer with two; 6 is put to
   * rest. Four messages wait for a region that is nowhere.
   */
  private static void entities(Stage stage) throws Exception {
    ActorRef region = open(stage);
    // Where a shard shall be does not count until the coordinator, which is here, knows the region.
    Moves.until("both regions", () -> regions(region) == 2);
    Moves.place(stage, TYPE, "even", false);
    Moves.place(stage, TYPE, "odd", true);
    stage.front(
        9,
        f -> {
          for (int entity : List.of(0, 0, 0, 0, 2, 4, 6, 1, 1)) {
            region.tell(new Work(entity), f.getSelf());
          }
        });
    ActorRef nowhere =
        ClusterSharding.get(stage.system()).startProxy("nowhere", Optional.of("nobody"), new Odd());
    for (int i = 0; i < 4; i++) {
      nowhere.tell(new Work(i), ActorRef.noSender());
    }
  }

  private static int regions(ActorRef region) throws Exception {
    FiniteDuration patience = FiniteDuration.apply(5, TimeUnit.SECONDS);
    Object stats =
        Patterns.ask(region, new ShardRegion.GetClusterShardingStats(patience), Stage.PATIENCE)
            .toCompletableFuture()
            .get(90, TimeUnit.SECONDS);
    return ((ShardRegion.ClusterShardingStats) stats).getRegions().size();
  }

  /** The shard of the odd ones comes here. */
  private static void moves(Stage stage) throws Exception {
    Moves.place(stage, TYPE, "odd", false);
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(TYPE);
    Moves.until(
        "the shard",
        () ->
            ((ShardRegion.CurrentShardRegionState)
                        Patterns.ask(
                                region, ShardRegion.getShardRegionStateInstance(), Stage.PATIENCE)
                            .toCompletableFuture()
                            .get(90, TimeUnit.SECONDS))
                    .getShards()
                    .size()
                == 2);
    stage.front(1, f -> region.tell(new Work(1), f.getSelf()));
  }

  /** Three keys are written and one of them deleted, each on all nodes; one is not there. */
  private static void data(Stage stage) throws Exception {
    ActorRef replicator = DistributedData.get(stage.system()).replicator();
    SelfUniqueAddress self = DistributedData.get(stage.system()).selfUniqueAddress();
    Replicator.WriteAll writes = new Replicator.WriteAll(LONG);
    for (int i = 0; i < 3; i++) {
      expect(
          Replicator.UpdateSuccess.class,
          replicator,
          new Replicator.Update<>(
              key(i), GCounter.create(), writes, counter -> counter.increment(self, 1)));
    }
    Replicator.ReadAll reads = new Replicator.ReadAll(LONG);
    expect(Replicator.GetSuccess.class, replicator, new Replicator.Get<>(key(0), reads));
    expect(Replicator.NotFound.class, replicator, new Replicator.Get<>(key(9), reads));
    expect(Replicator.DeleteSuccess.class, replicator, new Replicator.Delete<>(key(2), writes));
  }

  private static Key<GCounter> key(int number) {
    return GCounterKey.create("metered-" + number);
  }

  private static void expect(Class<?> answer, ActorRef replicator, Object question)
      throws Exception {
    Object answered =
        Patterns.ask(replicator, question, Stage.PATIENCE)
            .toCompletableFuture()
            .get(90, TimeUnit.SECONDS);
    if (!answer.isInstance(answered)) {
      throw new IllegalStateException(answered + " is not a " + answer);
    }
  }

  /** All even numbers are one shard, all odd ones another. */
  private static final class Odd implements ShardRegion.MessageExtractor {
    @Override
    public String entityId(Object message) {
      return String.valueOf(((Work) message).number());
    }

    @Override
    public Object entityMessage(Object message) {
      return message;
    }

    @Override
    public String shardId(Object message) {
      return ((Work) message).number() % 2 == 0 ? "even" : "odd";
    }
  }

  /** Answers; the one of number 6 wants to rest then. */
  static final class Resting extends org.apache.pekko.actor.AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                getSender().tell(new Done(w.number()), getSelf());
                if (w.number() == 6) {
                  getContext()
                      .getParent()
                      .tell(new ShardRegion.Passivate(PoisonPill.getInstance()), getSelf());
                }
              })
          .build();
    }
  }
}
