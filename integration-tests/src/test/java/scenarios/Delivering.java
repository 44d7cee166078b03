// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.delivery.ProducerController;
import org.apache.pekko.actor.typed.delivery.WorkPullingProducerController;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import scenarios.Messages.Begin;

/**
 * Reliable delivery on one node, to a consumer that leaves before it has confirmed, and another.
 */
public final class Delivering {
  /** The first had the first job, and the second waited for its end; the second worker has both. */
  private static final String BOTH =
      """
      process Begin at /user/producer
        process Delivery at /user/leaving
        process Delivery at /user/staying
        process RequestNext at /user/producer
      process Begin at /user/producer
        process Delivery at /user/staying
        process RequestNext at /user/producer
      process Leave at /user/leaving
      process RequestNext at /user/producer
      """;

  private static final int JOBS = 2;

  private Delivering() {}

  record Job(int number) {}

  record Leave() {}

  /** Starts a worker of that name. */
  private interface Workers {
    ActorRef<Object> start(String name);
  }

  public static void addTo(Scenes all) {
    all.add("delivery-worker-left", Delivering::workerLeft, BOTH);
    all.add("delivery-consumer-left", Delivering::consumerLeft, BOTH);
  }

  private static void workerLeft(Stage stage) throws Exception {
    ServiceKey<ConsumerController.Command<Job>> key =
        ServiceKey.create(typed(ConsumerController.Command.class), "workers");
    ActorRef<WorkPullingProducerController.Command<Job>> producing =
        stage.typed(
            WorkPullingProducerController.create(Job.class, stage.name(), key, Optional.empty()),
            "controller");
    Class<WorkPullingProducerController.RequestNext<Job>> next =
        typed(WorkPullingProducerController.RequestNext.class);
    Semaphore demand = new Semaphore(0);
    Behavior<Object> producer =
        Producing.of(
            next,
            self -> producing.tell(new WorkPullingProducerController.Start<>(self)),
            demand::release,
            (asked, number) -> asked.sendNextTo().tell(new Job(number)));
    leave(
        stage,
        producer,
        demand,
        name -> worker(stage, name, ConsumerController.create(key), c -> {}));
  }

  private static void consumerLeft(Stage stage) throws Exception {
    ActorRef<ProducerController.Command<Job>> producing =
        stage.typed(
            ProducerController.create(Job.class, stage.name(), Optional.empty()), "controller");
    Class<ProducerController.RequestNext<Job>> next = typed(ProducerController.RequestNext.class);
    Semaphore demand = new Semaphore(0);
    Behavior<Object> producer =
        Producing.of(
            next,
            self -> producing.tell(new ProducerController.Start<>(self)),
            demand::release,
            (asked, number) -> asked.sendNextTo().tell(new Job(number)));
    leave(
        stage,
        producer,
        demand,
        name ->
            worker(
                stage,
                name,
                ConsumerController.create(),
                c -> c.tell(new ConsumerController.RegisterToProducerController<>(producing))));
  }

  /** Messages that the first has, and has not confirmed when it leaves, are for the second. */
  private static void leave(
      Stage stage, Behavior<Object> behavior, Semaphore demand, Workers workers) throws Exception {
    ActorRef<Object> producer = stage.typed(behavior, "producer");
    ActorRef<Object> leaving = workers.start("leaving");
    for (int i = 0; i < JOBS; i++) {
      await(demand);
      producer.tell(new Begin());
    }
    await(demand);
    stage.await(1); // the second job waits for the first one's end
    leaving.tell(new Leave());
    stage.await(1);
    workers.start("staying");
    stage.await(JOBS);
  }

  private static void await(Semaphore demand) throws InterruptedException {
    if (!demand.tryAcquire(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("there is no demand");
    }
  }

  private static ActorRef<Object> worker(
      Stage stage,
      String name,
      Behavior<ConsumerController.Command<Job>> controller,
      java.util.function.Consumer<ActorRef<ConsumerController.Command<Job>>> registers) {
    Class<ConsumerController.Delivery<Job>> delivery = typed(ConsumerController.Delivery.class);
    return stage.typed(
        Behaviors.<Object>setup(
            context -> {
              ActorRef<ConsumerController.Command<Job>> consuming =
                  context.spawn(controller, "controller");
              consuming.tell(
                  new ConsumerController.Start<>(context.messageAdapter(delivery, d -> d)));
              registers.accept(consuming);
              return Behaviors.receive(Object.class)
                  .onMessage(
                      delivery,
                      d -> {
                        if (name.equals("staying")) {
                          d.confirmTo().tell(ConsumerController.confirmed());
                        }
                        stage.signal();
                        return Behaviors.same();
                      })
                  .onMessage(
                      Leave.class,
                      l -> {
                        stage.signal();
                        return Behaviors.stopped();
                      })
                  .build();
            }),
        name);
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static <T> Class<T> typed(Class<?> type) {
    return (Class<T>) type;
  }
}
