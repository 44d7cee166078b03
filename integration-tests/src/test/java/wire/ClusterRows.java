// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorPaths;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.pubsub.Topic;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.cluster.client.ClusterClient;
import org.apache.pekko.cluster.client.ClusterClientSettings;
import org.apache.pekko.cluster.pubsub.DistributedPubSub;
import org.apache.pekko.cluster.pubsub.DistributedPubSubMediator;
import org.apache.pekko.cluster.routing.ClusterRouterGroup;
import org.apache.pekko.cluster.routing.ClusterRouterGroupSettings;
import org.apache.pekko.cluster.routing.ClusterRouterPool;
import org.apache.pekko.cluster.routing.ClusterRouterPoolSettings;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxy;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxySettings;
import org.apache.pekko.event.Logging;
import org.apache.pekko.routing.RoundRobinGroup;
import org.apache.pekko.routing.RoundRobinPool;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import wire.Messages.Done;
import wire.Messages.Work;

/** The abilities of members of a cluster, and of a client of theirs. */
public final class ClusterRows {
  private ClusterRows() {}

  public static void addTo(Rows all) {
    all.add(
        "sharding",
        stage -> sharding(stage, ClusterServices.SHARDED),
        """
              process Begin at a/user/sharding
                process Work at b/system/sharding/sharded/1/1
                  process Done at a/user/sharding
                process Work at b/system/sharding/sharded/1/1
                  process Done at a/user/sharding
              """);
    all.add(
        "remembered",
        stage -> sharding(stage, ClusterServices.REMEMBERED),
        """
              process Begin at a/user/remembered
                process Work at b/system/sharding/remembered/1/1
                  process Done at a/user/remembered
                process Work at b/system/sharding/remembered/1/1
                  process Done at a/user/remembered
              """);
    all.add("sharding-late", ClusterRows::shardingLate);
    all.add(
        "sharding-typed",
        ClusterRows::shardingTyped,
        """
              process Begin at a/user/sharding-typed
                ask Question at a/system/sharding/typed-entity
                  process Question at b/system/sharding/typed-entity/7/entity
                process Done at a/user/sharding-typed
              """);
    all.add(
        "sharding-typed-tell",
        ClusterRows::shardingTypedTell,
        """
              process Begin at a/user/sharding-typed-tell
                process Question at b/system/sharding/typed-entity/7/entity
                  process Done at a/user/sharding-typed-tell
                process Question at b/system/sharding/typed-entity/7/entity
                  process Done at a/user/sharding-typed-tell
              """);
    all.add("singleton-proxy", ClusterRows::singleton);
    all.add(
        "cluster-router",
        ClusterRows::router,
        """
        process Begin at a/user/cluster-router
          process Work at b/user/echo
            process Done at a/user/cluster-router
        """);
    all.add(
        "publish",
        ClusterRows::publish,
        """
              process Begin at a/user/publish
                process Work at a/user/subscriber
                  process Done at a/user/publish
                process Work at b/user/subscriber
                  process Done at a/user/publish
              """);
    all.like("publish", "send", ClusterRows::send);
    all.add(
        "send-to-one",
        ClusterRows::sendToOne,
        """
              process Begin at a/user/send-to-one
                process Work at b/user/only-there
                  process Done at a/user/send-to-one
              """);
    all.add(
        "topic",
        ClusterRows::topic,
        """
              process Begin at a/user/topic
                process Question at a/user/topic-subscriber
                  process Done at a/user/topic
                process Question at b/user/topic-subscriber
                  process Done at a/user/topic
              """);
    all.add(
        "cluster-pool",
        ClusterRows::pool,
        """
              process Begin at a/user/cluster-pool
                process Work at b/remote/…/cluster-pool-router/c1
                  process Done at a/user/cluster-pool
              """);
    all.add("singleton-typed", ClusterRows::typedSingleton);
    all.add(
        "receptionist",
        ClusterRows::receptionist,
        """
              process Begin at a/user/receptionist
                process Question at a/user/service
                  process Done at a/user/receptionist
                process Question at b/user/service
                  process Done at a/user/receptionist
              """);
    all.add("client", ClusterRows::client);
    all.add("quiet", ClusterRows::quiet);
    all.add("delivery", stage -> Delivery.run(stage, 0));
    all.add("delivery-lost", stage -> Delivery.run(stage, 2));
    all.add("delivery-pulled", stage -> Jobs.pulled(stage, false));
    all.add("delivery-pulled-lost", stage -> Jobs.pulled(stage, true));
    all.add("delivery-sharded", stage -> Jobs.sharded(stage, false));
    all.add("delivery-sharded-lost", stage -> Jobs.sharded(stage, true));
  }

  /** The first message to a shard, which the region keeps until it knows where that is. */
  private static void sharding(Stage stage, String type) throws Exception {
    Moves.place(stage, type, "1", true);
    ActorRef region = ClusterSharding.get(stage.system()).shardRegion(type);
    stage.front(
        2,
        f -> {
          region.tell(new Work(1), f.getSelf());
          region.tell(new Work(1), f.getSelf());
        });
  }

  /** The region itself starts with the message, and keeps it until it has found its coordinator. */
  private static void shardingLate(Stage stage) throws Exception {
    Moves.place(stage, ClusterServices.LATE, "2", true);
    ActorRef region = ClusterServices.region(stage.system(), ClusterServices.LATE, false);
    stage.front(1, f -> region.tell(new Work(2), f.getSelf()));
  }

  private static void shardingTyped(Stage stage) throws Exception {
    Moves.place(stage, ClusterServices.TYPED_ENTITY.name(), Moves.typedShard("entity"), true);
    EntityRef<Services.Question> entity = Moves.typedEntity(stage, "entity");
    stage.front(
        1,
        f ->
            org.apache.pekko.pattern.Patterns.pipe(
                    entity.<Done>ask(replyTo -> new Services.Question(1, replyTo), Stage.PATIENCE),
                    f.getContext().getDispatcher())
                .to(f.getSelf()));
  }

  /** A proxy that does not know yet where the singleton is, and keeps the message meanwhile. */
  private static void singleton(Stage stage) throws Exception {
    Props proxy =
        ClusterSingletonProxy.props(
            "/user/singleton",
            ClusterSingletonProxySettings.create(stage.system()).withSingletonName("only"));
    stage.front(1, f -> stage.actor(proxy, "-proxy").tell(new Work(1), f.getSelf()));
  }

  private static void router(Stage stage) throws Exception {
    ActorRef router =
        stage.actor(
            new ClusterRouterGroup(
                    new RoundRobinGroup(List.of("/user/echo")),
                    new ClusterRouterGroupSettings(10, List.of("/user/echo"), false, Set.of()))
                .props(),
            "-router");
    Moves.until("a routee", () -> routees(router) > 0);
    stage.front(1, f -> router.tell(new Work(1), f.getSelf()));
  }

  /** A router that makes its routee itself, on the other node. */
  private static void pool(Stage stage) throws Exception {
    ActorRef router =
        stage.actor(
            new ClusterRouterPool(
                    new RoundRobinPool(1), new ClusterRouterPoolSettings(1, 1, false, Set.of()))
                .props(Props.create(Services.Echo.class)),
            "-router");
    Moves.until("a routee", () -> routees(router) == 1);
    stage.front(1, f -> router.tell(new Work(1), f.getSelf()));
  }

  private static int routees(ActorRef router) throws Exception {
    return ((org.apache.pekko.routing.Routees)
            org.apache.pekko.pattern.Patterns.ask(
                    router, org.apache.pekko.routing.GetRoutees.getInstance(), Stage.PATIENCE)
                .toCompletableFuture()
                .get(90, TimeUnit.SECONDS))
        .getRoutees()
        .size();
  }

  private static void publish(Stage stage) throws Exception {
    ActorRef mediator = DistributedPubSub.get(stage.system()).mediator();
    awaitTopic(mediator, ClusterServices.topicOf(stage.peer()));
    stage.front(
        2,
        f ->
            mediator.tell(new DistributedPubSubMediator.Publish("news", new Work(1)), f.getSelf()));
  }

  private static void awaitTopic(ActorRef mediator, String topic) throws Exception {
    Moves.until(
        "the topic " + topic,
        () ->
            ((DistributedPubSubMediator.CurrentTopics)
                    org.apache.pekko.pattern.Patterns.ask(
                            mediator, DistributedPubSubMediator.getTopicsInstance(), Stage.PATIENCE)
                        .toCompletableFuture()
                        .get(90, TimeUnit.SECONDS))
                .getTopics()
                .contains(topic));
  }

  private static void send(Stage stage) throws Exception {
    ActorRef mediator = DistributedPubSub.get(stage.system()).mediator();
    awaitTopic(mediator, ClusterServices.topicOf(stage.peer()));
    stage.front(
        2,
        f ->
            mediator.tell(
                new DistributedPubSubMediator.SendToAll("/user/subscriber", new Work(1), false),
                f.getSelf()));
  }

  private static void sendToOne(Stage stage) throws Exception {
    ActorRef mediator = DistributedPubSub.get(stage.system()).mediator();
    awaitTopic(mediator, ClusterServices.ONLY_THERE);
    stage.front(
        1,
        f ->
            mediator.tell(
                new DistributedPubSubMediator.Send(
                    "/user/" + ClusterServices.ONLY_THERE, new Work(1), false),
                f.getSelf()));
  }

  /** Published here, to a subscriber on each node. */
  private static void topic(Stage stage) throws Exception {
    org.apache.pekko.actor.typed.ActorRef<Topic.Command<Services.Question>> topic =
        Adapter.toTyped(
            stage
                .system()
                .actorSelection("/user/" + ClusterServices.TOPIC)
                .resolveOne(Stage.PATIENCE)
                .toCompletableFuture()
                .get(90, TimeUnit.SECONDS));
    Moves.until("a topic on each node", () -> instances(stage, topic) == 2);
    stage.front(
        2, f -> topic.tell(Topic.publish(new Services.Question(1, Adapter.toTyped(f.getSelf())))));
  }

  private static int instances(
      Stage stage, org.apache.pekko.actor.typed.ActorRef<Topic.Command<Services.Question>> topic)
      throws Exception {
    return AskPattern.<Topic.Command<Services.Question>, Topic.TopicStats>ask(
            topic,
            Topic::getTopicStats,
            Stage.PATIENCE,
            Adapter.toTyped(stage.system()).scheduler())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS)
        .topicInstanceCount();
  }

  private static void typedSingleton(Stage stage) throws Exception {
    var singleton = ClusterServices.typedSingleton(stage.system());
    stage.front(1, f -> singleton.tell(new Services.Question(1, Adapter.toTyped(f.getSelf()))));
  }

  /** By the reference of an entity, and by the region's own. */
  private static void shardingTypedTell(Stage stage) throws Exception {
    Moves.place(stage, ClusterServices.TYPED_ENTITY.name(), Moves.typedShard("entity"), true);
    EntityRef<Services.Question> entity = Moves.typedEntity(stage, "entity");
    var region = ClusterServices.typedEntities(stage.system());
    stage.front(
        2,
        f -> {
          org.apache.pekko.actor.typed.ActorRef<Done> self = Adapter.toTyped(f.getSelf());
          entity.tell(new Services.Question(1, self));
          region.tell(new ShardingEnvelope<>("entity", new Services.Question(2, self)));
        });
  }

  /** A group router that learns its routees, one on each node, from the receptionist. */
  private static void receptionist(Stage stage) throws Exception {
    var group =
        Adapter.spawn(
            stage.system(),
            Routers.group(ClusterServices.KEY).withRoundRobinRouting(),
            stage.row() + "-group");
    stage.started(Adapter.toClassic(group)); // so it has subscribed before this asks
    Moves.until("services on two nodes", () -> services(stage) >= 2);
    stage.front(
        2,
        f -> {
          org.apache.pekko.actor.typed.ActorRef<Done> self = Adapter.toTyped(f.getSelf());
          group.tell(new Services.Question(1, self));
          group.tell(new Services.Question(2, self));
        });
  }

  private static int services(Stage stage) throws Exception {
    org.apache.pekko.actor.typed.ActorSystem<Void> system = Adapter.toTyped(stage.system());
    return AskPattern.<Receptionist.Command, Receptionist.Listing>ask(
            system.receptionist(),
            replyTo -> Receptionist.find(ClusterServices.KEY, replyTo),
            Stage.PATIENCE,
            system.scheduler())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS)
        .getServiceInstances(ClusterServices.KEY)
        .size();
  }

  /** Nothing that an actor of the application does: a stream, and a warning for the logger. */
  private static void quiet(Stage stage) throws Exception {
    Source.range(1, 1_000)
        .runWith(Sink.ignore(), stage.system())
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    Logging.getLogger(stage.system(), stage.row()).warning("a line for the logger");
  }

  /**
   * From outside of the cluster, through its receptionist; the client keeps it till it knows one.
   */
  @SuppressWarnings("deprecation") // it is there, so it must work
  private static void client(Stage stage) throws Exception {
    ActorPath contact = ActorPaths.fromString(stage.peer() + "/system/receptionist");
    ActorRef client =
        stage.actor(
            ClusterClient.props(
                ClusterClientSettings.create(stage.system()).withInitialContacts(Set.of(contact))),
            "-client");
    stage.front(
        1,
        f ->
            client.tell(
                new ClusterClient.Send("/user/subscriber", new Work(1), false), f.getSelf()));
  }
}
