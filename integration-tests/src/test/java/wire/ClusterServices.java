// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.pubsub.Topic;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.client.ClusterClientReceptionist;
import org.apache.pekko.cluster.pubsub.DistributedPubSub;
import org.apache.pekko.cluster.pubsub.DistributedPubSubMediator;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocationStrategy;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.SingletonActor;
import wire.Messages.Work;

/** The services of the members of a cluster for each other. */
final class ClusterServices {
  static final String SHARDED = "sharded";

  /** Has no region on the node that runs the rows, until a row starts it. */
  static final String LATE = "late";

  static final String REMEMBERED = "remembered";

  /** Remembered, too, and tells itself when it starts. */
  static final String STARTING = "starting";

  static final ServiceKey<Services.Question> KEY =
      ServiceKey.create(Services.Question.class, "service");
  static final String TOPIC = "topic-host";
  static final String ONLY_THERE = "only-there";
  static final EntityTypeKey<Services.Question> TYPED_ENTITY =
      EntityTypeKey.create(Services.Question.class, "typed-entity");

  private ClusterServices() {}

  @SuppressWarnings("deprecation") // the cluster client is there, so it must work
  static void start(ActorSystem system) {
    region(system, SHARDED, false);
    region(system, REMEMBERED, true);
    region(system, STARTING, Starting.class, true);
    if (system.settings().config().getBoolean("wire.late")) {
      region(system, LATE, false);
    }
    typedEntities(system);
    singleton(system);
    typedSingleton(system);
    topic(system);
    ActorRef mediator = DistributedPubSub.get(system).mediator();
    ActorRef echo = system.actorOf(Props.create(Services.Echo.class), "subscriber");
    mediator.tell(new DistributedPubSubMediator.Subscribe("news", echo), ActorRef.noSender());
    mediator.tell(new DistributedPubSubMediator.Put(echo), ActorRef.noSender());
    String own = topicOf(Cluster.get(system).selfAddress());
    mediator.tell(new DistributedPubSubMediator.Subscribe(own, echo), ActorRef.noSender());
    if (system.settings().config().getBoolean("wire.late")) {
      onlyThere(system, mediator);
    }
    ClusterClientReceptionist.get(system).registerService(echo);
    org.apache.pekko.actor.typed.ActorRef<Services.Question> service =
        Adapter.spawn(system, Services.typed(), "service");
    Adapter.toTyped(system).receptionist().tell(Receptionist.register(KEY, service));
    Adapter.spawn(system, Delivery.host(), "delivery-host");
    Jobs.start(system, system.settings().config().getBoolean("wire.late"));
    system.actorOf(Props.create(StreamRows.Host.class), "streams");
  }

  /** The shards of a type stand where a row puts them. */
  static ActorRef region(ActorSystem system, String type, boolean remember) {
    return region(system, type, Services.Echo.class, remember);
  }

  private static ActorRef region(
      ActorSystem system, String type, Class<?> entity, boolean remember) {
    return ClusterSharding.get(system)
        .start(
            type,
            Props.create(entity),
            ClusterShardingSettings.create(system).withRememberEntities(remember),
            extractor(),
            new ExternalShardAllocationStrategy(
                system, type, org.apache.pekko.util.Timeout.create(Duration.ofSeconds(90))),
            PoisonPill.getInstance());
  }

  /** Every message goes to the entity of its number, every entity is its own shard. */
  static ShardRegion.MessageExtractor extractor() {
    return new ShardRegion.HashCodeMessageExtractor(10) {
      @Override
      public String entityId(Object message) {
        return message instanceof Work work ? String.valueOf(work.number()) : null;
      }

      @Override
      public String shardId(Object message) {
        return message instanceof ShardRegion.StartEntity start
            ? start.entityId()
            : message instanceof Work work ? String.valueOf(work.number()) : null;
      }
    };
  }

  static org.apache.pekko.actor.typed.ActorRef<ShardingEnvelope<Services.Question>> typedEntities(
      ActorSystem system) {
    return org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.get(
            Adapter.toTyped(system))
        .init(
            Entity.of(TYPED_ENTITY, context -> Services.typed())
                .withAllocationStrategy(
                    new ExternalShardAllocationStrategy(
                        system,
                        TYPED_ENTITY.name(),
                        org.apache.pekko.util.Timeout.create(Duration.ofSeconds(90)))));
  }

  static org.apache.pekko.actor.typed.ActorRef<Services.Question> typedSingleton(
      ActorSystem system) {
    return ClusterSingleton.get(Adapter.toTyped(system))
        .init(SingletonActor.of(Services.typed(), "typed-only"));
  }

  /** A topic with one subscriber on each node. */
  private static void topic(ActorSystem system) {
    org.apache.pekko.actor.typed.ActorRef<Topic.Command<Services.Question>> topic =
        Adapter.spawn(system, Topic.create(Services.Question.class, "questions"), TOPIC);
    topic.tell(Topic.subscribe(Adapter.spawn(system, Services.typed(), "topic-subscriber")));
  }

  /** A topic that others know of no sooner than of all else that a node has told before. */
  static String topicOf(Address node) {
    return "of " + node;
  }

  /** The topic is known no sooner than that the actor can be sent to. */
  private static void onlyThere(ActorSystem system, ActorRef mediator) {
    ActorRef there = system.actorOf(Props.create(Services.Echo.class), ONLY_THERE);
    mediator.tell(new DistributedPubSubMediator.Put(there), ActorRef.noSender());
    mediator.tell(new DistributedPubSubMediator.Subscribe(ONLY_THERE, there), ActorRef.noSender());
  }

  /** An entity that tells itself when it starts. */
  static final class Starting extends Services.Echo {
    @Override
    public void preStart() {
      getSelf().tell(new Started(), getSelf());
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Started.class, s -> {}).build().orElse(super.createReceive());
    }
  }

  record Started() implements Serializable {}

  private static void singleton(ActorSystem system) {
    system.actorOf(
        ClusterSingletonManager.props(
            Props.create(Services.Echo.class),
            PoisonPill.getInstance(),
            ClusterSingletonManagerSettings.create(system).withSingletonName("only")),
        "singleton");
  }
}
