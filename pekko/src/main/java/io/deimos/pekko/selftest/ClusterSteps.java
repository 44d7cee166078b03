// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.hooks.Probe;
import io.deimos.recorder.woven.NumberFields;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.ddata.GCounter;
import org.apache.pekko.cluster.ddata.GCounterKey;
import org.apache.pekko.cluster.ddata.ReadAggregator;
import org.apache.pekko.cluster.ddata.Replicator;
import org.apache.pekko.cluster.ddata.VersionVector;
import org.apache.pekko.cluster.ddata.WriteAggregator;
import org.apache.pekko.cluster.sbr.DownAllNodes;
import org.apache.pekko.cluster.sbr.DowningStrategy;
import org.apache.pekko.cluster.sharding.Shard;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.event.Logging;
import org.apache.pekko.remote.PhiAccrualFailureDetector;
import org.apache.pekko.util.MessageBufferMap;
import scala.Option;
import scala.collection.immutable.Set$;
import scala.collection.immutable.Vector$;
import scala.concurrent.duration.FiniteDuration;

/** Parts of the cluster's services, each made by hand: there need not be a cluster. */
final class ClusterSteps {
  private static final String NAME = "deimos-self-test";
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final FiniteDuration SHORT = FiniteDuration.apply(1, TimeUnit.MILLISECONDS);
  private static final UniqueAddress HERE =
      new UniqueAddress(Address.apply("pekko", NAME, "127.0.0.1", 1), 1L);

  private ClusterSteps() {}

  /** No members, so nobody is downed; no peer, so no heartbeat counts. */
  static void members(Steps steps) {
    steps.firesUnmade(
        "PhiAccrualFailureDetector.heartbeat",
        () -> Unmade.of(PhiAccrualFailureDetector.class).heartbeat());
    steps.fires(
        "DowningStrategy.nodesToDown",
        () -> new DownAllNodes("default", HERE).nodesToDown(DowningStrategy.DownAll$.MODULE$));
  }

  static void sharding(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    start(
        steps,
        Props.create(
            ShardCoordinator.RebalanceWorker.class,
            NAME,
            "1",
            conductor,
            SHORT,
            Set$.MODULE$.empty(),
            false));
    steps.fires("ShardCoordinator$RebalanceWorker.<init>");
    steps.fires("ShardCoordinator$RebalanceWorker.done");
    steps.check(
        "Shard$Entities.entityPassivating",
        () -> {
          Shard.Entities entities =
              new Shard.Entities(Logging.getLogger(system, NAME), false, false, false);
          entities.addEntity(NAME, conductor);
          entities.entityPassivating(NAME);
          return ((NumberFields) (Object) entities).deimos$number() == 1;
        });
    steps.check("Shard.deliverMessage", ClusterSteps::delivers);
  }

  /** A region has to belong to a cluster, but need not to be told of. */
  static void regions(Steps steps) {
    steps.firesUnmade(
        "ShardRegion.bufferMessage",
        () -> Unmade.of(ShardRegion.class).bufferMessage(NAME, "", ActorRef.noSender()));
    steps.firesUnmade(
        "ShardRegion.receiveShardHome",
        () -> Unmade.of(ShardRegion.class).receiveShardHome(NAME, ActorRef.noSender()));
    steps.firesUnmade(
        "ShardRegion.deliverBufferedMessages",
        () -> Unmade.of(ShardRegion.class).deliverBufferedMessages(NAME, ActorRef.noSender()));
  }

  static void entities(Steps steps) {
    steps.firesUnmade("Shard.getOrCreateEntity", ClusterSteps::make);
  }

  /** A shard has to belong to a cluster, but need not to count. */
  private static boolean delivers() throws ReflectiveOperationException {
    Shard shard = Unmade.of(Shard.class);
    deliver(shard);
    return ((NumberFields) (Object) shard).deimos$number() == 1;
  }

  private static void deliver(Shard shard) {
    try {
      shard.org$apache$pekko$cluster$sharding$Shard$$deliverMessage("", ActorRef.noSender());
    } catch (NullPointerException e) {
      // it is as empty as can be
    }
  }

  /** No message waits for the entity. */
  private static void make() throws ReflectiveOperationException {
    Shard shard = Unmade.of(Shard.class);
    Field waiting = Shard.class.getDeclaredField("messageBuffers");
    waiting.setAccessible(true);
    waiting.set(shard, new MessageBufferMap<String>());
    shard.getOrCreateEntity("");
  }

  /** The entity that an ask gets to, where its shard looks for it. */
  static void asks(Steps steps, ExtendedActorSystem system, ActorRef conductor) {
    steps.fires(
        "Shard.deliverMessage.asked",
        () -> {
          Shard shard = Unmade.of(Shard.class);
          Probe.asking(false, () -> deliver(shard));
        });
    steps.check(
        "Shard$Active.ref",
        () -> Probe.asking(true, new Shard.Active(conductor)::ref) == conductor);
    steps.check(
        "Shard.getOrCreateEntity.asked",
        () -> {
          Shard shard = having(system, conductor);
          return Probe.asking(true, () -> shard.getOrCreateEntity(NAME)) == conductor;
        });
  }

  /**
   * A shard that has one entity, and nothing else. The entity is passivating: of an active one, the
   * hook of {@code Shard$Active.ref} would tell first, and the step would pass without its own.
   *
   * <p>Advice of other agents, Kamon's for one, asks its context for the entity. So it has that of
   * a real actor, whose child the entity is.
   */
  private static Shard having(ExtendedActorSystem system, ActorRef entity)
      throws ReflectiveOperationException {
    Shard.Entities entities =
        new Shard.Entities(Logging.getLogger(system, NAME), false, false, false);
    entities.addEntity(NAME, entity);
    entities.entityPassivating(NAME);
    Shard shard = Unmade.of(Shard.class);
    for (Field field : Shard.class.getDeclaredFields()) {
      Object value = null;
      if (field.getType() == Shard.Entities.class) {
        value = entities;
      } else if (field.getType() == MessageBufferMap.class) {
        value = new MessageBufferMap<String>();
      } else if (field.getType() == ActorContext.class) {
        value = parent(system);
      }
      if (value != null) {
        field.setAccessible(true);
        field.set(shard, value);
      }
    }
    return shard;
  }

  /** The context of the conductor's parent, where the conductor has the name that is asked for. */
  private static ActorContext parent(ExtendedActorSystem system) {
    return (ActorContext) ((ActorRefWithCell) system.systemGuardian()).underlying();
  }

  static void distributedData(Steps steps, ActorRef conductor) {
    start(
        steps,
        Props.create(
            ReadAggregator.class,
            GCounterKey.create(NAME),
            new Replicator.ReadAll(LONG),
            Option.empty(),
            HERE,
            Vector$.MODULE$.empty(),
            Set$.MODULE$.empty(),
            true,
            Option.empty(),
            conductor));
    steps.fires("ReadWriteAggregator.<init>");
    steps.fires("ReadAggregator.reply");
    start(
        steps,
        Props.create(
            WriteAggregator.class,
            GCounterKey.create(NAME),
            envelope(),
            Option.empty(),
            new Replicator.WriteAll(LONG),
            Option.empty(),
            HERE,
            Vector$.MODULE$.empty(),
            Set$.MODULE$.empty(),
            true,
            conductor,
            false));
    steps.fires("WriteAggregator.reply");
  }

  /** For a class that has no name in Java. */
  private static Object envelope() {
    try {
      return newEnvelope();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no envelope of data to write", e);
    }
  }

  private static Object newEnvelope() throws ReflectiveOperationException {
    return Class.forName("org.apache.pekko.cluster.ddata.Replicator$Internal$DataEnvelope")
        .getConstructors()[0]
        .newInstance(
            GCounter.empty(),
            scala.collection.immutable.Map$.MODULE$.empty(),
            VersionVector.empty());
  }

  private static void start(Steps steps, Props props) {
    try {
      steps.inActor(
          c -> {
            c.classicContext().actorOf(props);
            return true;
          });
    } catch (Exception e) {
      // its hooks are then named as missing
    }
  }
}
