// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocationStrategy;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.delivery.ShardingConsumerController;
import org.apache.pekko.cluster.sharding.typed.delivery.ShardingProducerController;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.util.Timeout;
import scenarios.Producing;
import scenarios.Tool;

/** Reliable delivery to whoever has time for it, and to sharded entities. */
final class Jobs {
  private static final String ENTITY = "entity";
  private static final String LOSING_ENTITY = "losing-entity";
  static final EntityTypeKey<ConsumerController.SequencedMessage<Job>> SHARDED =
      EntityTypeKey.create(sequenced(), "jobs");
  private static final ServiceKey<ConsumerController.Command<Job>> WORKERS =
      ServiceKey.create(command(), "workers");
  private static final ServiceKey<ConsumerController.Command<Job>> LOSING_WORKERS =
      ServiceKey.create(command(), "losing-workers");

  /** The number of the message that gets lost. */
  private static final int LOST = 2;

  private Jobs() {}

  record Job(int number, ActorRef<Delivery.Told> told, String token) implements Serializable {
    Job(int number, ActorRef<Delivery.Told> told) {
      this(number, told, Tool.token());
    }
  }

  /** The entities' type on every node; workers only where they are wanted. */
  static void start(ActorSystem system, boolean worker) {
    region(system);
    if (worker) {
      worker(system, "worker", ConsumerController.create(WORKERS));
      worker(
          system,
          "losing-worker",
          Delivery.losing(command(), LOST, Jobs::told, ConsumerController.create(LOSING_WORKERS)));
    }
  }

  private static void worker(
      ActorSystem system, String name, Behavior<ConsumerController.Command<Job>> controller) {
    Adapter.spawn(
        system,
        Behaviors.<ConsumerController.Delivery<Job>>setup(
            context -> consumer(context.spawn(controller, "controller"))),
        name);
  }

  private static ActorRef<ShardingEnvelope<ConsumerController.SequencedMessage<Job>>> region(
      ActorSystem system) {
    Timeout patience = Timeout.create(Duration.ofSeconds(90));
    return ClusterSharding.get(Adapter.toTyped(system))
        .init(
            Entity.of(SHARDED, context -> entity(context.getEntityId().equals(LOSING_ENTITY)))
                .withAllocationStrategy(
                    new ExternalShardAllocationStrategy(system, SHARDED.name(), patience)));
  }

  private static Behavior<ConsumerController.SequencedMessage<Job>> entity(boolean losing) {
    Behavior<ConsumerController.SequencedMessage<Job>> entity =
        ShardingConsumerController.<Job, ConsumerController.Delivery<Job>>create(Jobs::consumer);
    return losing ? Delivery.losing(sequenced(), LOST, Jobs::told, entity) : entity;
  }

  private static ActorRef<Delivery.Told> told(ConsumerController.SequencedMessage<?> sequenced) {
    return ((Job) sequenced.message()).told();
  }

  private static Behavior<ConsumerController.Delivery<Job>> consumer(
      ActorRef<? super ConsumerController.Start<Job>> controller) {
    return Behaviors.setup(
        context -> {
          controller.tell(new ConsumerController.Start<>(context.getSelf()));
          return Behaviors.receiveMessage(
              delivery -> {
                Tool.seen(delivery.message().token());
                delivery.message().told().tell(new Delivery.Got(delivery.message().number()));
                delivery.confirmTo().tell(ConsumerController.confirmed());
                return Behaviors.same();
              });
        });
  }

  static void pulled(Stage stage, boolean losing) throws Exception {
    Semaphore demand = new Semaphore(0);
    ActorRef<WorkPullingProducerController.Command<Job>> controller =
        Adapter.spawn(
            stage.system(),
            WorkPullingProducerController.create(
                Job.class, stage.row(), losing ? LOSING_WORKERS : WORKERS, Optional.empty()),
            stage.row() + "-controller");
    ActorRef<Delivery.Told> told = told(stage);
    produce(
        stage,
        Producing.of(
            pullNext(),
            self -> controller.tell(new WorkPullingProducerController.Start<>(self)),
            demand::release,
            (next, number) -> next.sendNextTo().tell(new Job(number, told))),
        demand,
        losing);
  }

  static void sharded(Stage stage, boolean losing) throws Exception {
    Semaphore demand = new Semaphore(0);
    String entity = losing ? LOSING_ENTITY : ENTITY;
    Moves.place(stage, SHARDED.name(), Moves.typedShard(entity), true);
    ActorRef<ShardingProducerController.Command<Job>> controller =
        Adapter.spawn(
            stage.system(),
            ShardingProducerController.create(
                Job.class, stage.row(), region(stage.system()), Optional.empty()),
            stage.row() + "-controller");
    ActorRef<Delivery.Told> told = told(stage);
    produce(
        stage,
        Producing.of(
            shardNext(),
            self -> controller.tell(new ShardingProducerController.Start<>(self)),
            demand::release,
            (next, number) ->
                next.sendNextTo().tell(new ShardingEnvelope<>(entity, new Job(number, told)))),
        demand,
        losing);
  }

  private static ActorRef<Delivery.Told> told(Stage stage) {
    return Adapter.spawn(stage.system(), Delivery.told(stage), stage.row() + "-told");
  }

  private static void produce(
      Stage stage, Behavior<Object> behavior, Semaphore demand, boolean losing) throws Exception {
    ActorRef<Object> producer = Adapter.spawn(stage.system(), behavior, stage.row());
    Delivery.send(stage, producer, demand);
    stage.await(losing ? 5 : 3);
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static <T> Class<T> typed(Class<?> type) {
    return (Class<T>) type;
  }

  private static Class<ConsumerController.SequencedMessage<Job>> sequenced() {
    return typed(ConsumerController.SequencedMessage.class);
  }

  private static Class<ConsumerController.Command<Job>> command() {
    return typed(ConsumerController.Command.class);
  }

  private static Class<WorkPullingProducerController.RequestNext<Job>> pullNext() {
    return typed(WorkPullingProducerController.RequestNext.class);
  }

  private static Class<ShardingProducerController.RequestNext<Job>> shardNext() {
    return typed(ShardingProducerController.RequestNext.class);
  }
}
