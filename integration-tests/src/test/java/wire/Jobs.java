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
import scenarios.Tool;

/** Reliable delivery to whoever has time for it, and to sharded entities. */
final class Jobs {
  private static final String ENTITY = "entity";
  static final EntityTypeKey<ConsumerController.SequencedMessage<Job>> SHARDED =
      EntityTypeKey.create(sequenced(), "jobs");
  private static final ServiceKey<ConsumerController.Command<Job>> WORKERS =
      ServiceKey.create(command(), "workers");

  private Jobs() {}

  record Job(int number, ActorRef<Delivery.Told> told, String token) implements Serializable {
    Job(int number, ActorRef<Delivery.Told> told) {
      this(number, told, Tool.token());
    }
  }

  /** The entities' type on every node; a worker only where it is wanted. */
  static void start(ActorSystem system, boolean worker) {
    region(system);
    if (worker) {
      Adapter.spawn(
          system,
          Behaviors.<ConsumerController.Delivery<Job>>setup(
              context -> consumer(context.spawn(ConsumerController.create(WORKERS), "controller"))),
          "worker");
    }
  }

  private static ActorRef<ShardingEnvelope<ConsumerController.SequencedMessage<Job>>> region(
      ActorSystem system) {
    Timeout patience = Timeout.create(Duration.ofSeconds(5));
    return ClusterSharding.get(Adapter.toTyped(system))
        .init(
            Entity.of(SHARDED, context -> entity())
                .withAllocationStrategy(
                    new ExternalShardAllocationStrategy(system, SHARDED.name(), patience)));
  }

  private static Behavior<ConsumerController.SequencedMessage<Job>> entity() {
    return ShardingConsumerController.<Job, ConsumerController.Delivery<Job>>create(Jobs::consumer);
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

  static void pulled(Stage stage) throws Exception {
    Semaphore demand = new Semaphore(0);
    ActorRef<WorkPullingProducerController.Command<Job>> controller =
        Adapter.spawn(
            stage.system(),
            WorkPullingProducerController.create(Job.class, stage.row(), WORKERS, Optional.empty()),
            stage.row() + "-controller");
    ActorRef<Delivery.Told> told = told(stage);
    produce(
        stage,
        Producing.of(
            pullNext(),
            self -> controller.tell(new WorkPullingProducerController.Start<>(self)),
            demand::release,
            (next, number) -> next.sendNextTo().tell(new Job(number, told))),
        demand);
  }

  static void sharded(Stage stage) throws Exception {
    Semaphore demand = new Semaphore(0);
    Moves.place(stage, SHARDED.name(), String.valueOf(Math.abs(ENTITY.hashCode() % 10)), true);
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
                next.sendNextTo().tell(new ShardingEnvelope<>(ENTITY, new Job(number, told)))),
        demand);
  }

  private static ActorRef<Delivery.Told> told(Stage stage) {
    return Adapter.spawn(stage.system(), Delivery.told(stage), stage.row() + "-told");
  }

  private static void produce(Stage stage, Behavior<Object> behavior, Semaphore demand)
      throws Exception {
    ActorRef<Object> producer = Adapter.spawn(stage.system(), behavior, stage.row());
    Delivery.send(stage, producer, demand);
    stage.await(3);
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
