// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.delivery.ProducerController;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import scenarios.Producing;
import scenarios.Tool;
import wire.Messages.Begin;
import wire.Messages.Work;

/** Reliable delivery from one node to another, of which a message may get lost on its way. */
final class Delivery {
  private Delivery() {}

  /** Wants a consumer for a producer; {@code lost} is the number of the message to lose, or 0. */
  record Consume(ActorRef<ProducerController.Command<Work>> producer, int lost, ActorRef<Told> told)
      implements Serializable {}

  /** The messages of the consumer's node. */
  interface Told extends Serializable {}

  record Got(int number) implements Told {}

  /** A message was dropped on its way. */
  record Dropped(int number) implements Told {}

  /** The dropped message came once more. */
  record Resent(int number) implements Told {}

  /** On each node: starts consumers. */
  static Behavior<Consume> host() {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                wanted -> {
                  ActorRef<ConsumerController.Command<Work>> controller =
                      context.spawnAnonymous(
                          losing(
                              interceptedClass(),
                              wanted.lost(),
                              sequenced -> wanted.told(),
                              ConsumerController.create()));
                  ActorRef<ConsumerController.Delivery<Work>> consumer =
                      context.spawn(consumer(wanted.told()), "consumer-" + wanted.lost());
                  controller.tell(new ConsumerController.Start<>(consumer));
                  controller.tell(
                      new ConsumerController.RegisterToProducerController<>(wanted.producer()));
                  return Behaviors.same();
                }));
  }

  private static Behavior<ConsumerController.Delivery<Work>> consumer(ActorRef<Told> told) {
    return Behaviors.receiveMessage(
        delivery -> {
          Tool.seen(delivery.message().token());
          told.tell(new Got(delivery.message().number()));
          delivery.confirmTo().tell(ConsumerController.confirmed());
          return Behaviors.same();
        });
  }

  /**
   * A consumer controller that never sees a message when it comes for the first time.
   *
   * @param told who is told of it
   */
  static <M> Behavior<M> losing(
      Class<M> intercepted,
      int number,
      Function<ConsumerController.SequencedMessage<?>, ActorRef<Told>> told,
      Behavior<M> controller) {
    return Behaviors.intercept(
        () ->
            new BehaviorInterceptor<M, M>(intercepted) {
              private boolean lost;
              private boolean resent;

              @Override
              public Behavior<M> aroundReceive(
                  TypedActorContext<M> context, M message, ReceiveTarget<M> target) {
                if (message instanceof ConsumerController.SequencedMessage<?> sequenced
                    && sequenced.seqNr() == number) {
                  if (!lost) {
                    lost = true;
                    told.apply(sequenced).tell(new Dropped(number));
                    return Behaviors.same();
                  }
                  if (!resent) {
                    resent = true;
                    told.apply(sequenced).tell(new Resent(number));
                  }
                }
                return target.apply(context, message);
              }
            },
        controller);
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static Class<ConsumerController.Command<Work>> interceptedClass() {
    return (Class<ConsumerController.Command<Work>>) (Class<?>) ConsumerController.Command.class;
  }

  /** Three messages, of which one may get lost at first. */
  static void run(Stage stage, int lost) throws Exception {
    Semaphore demand = new Semaphore(0);
    CountDownLatch started = new CountDownLatch(1);
    ActorRef<ProducerController.Command<Work>> controller =
        Adapter.spawn(
            stage.system(),
            ProducerController.create(Work.class, stage.row(), Optional.empty()),
            stage.row() + "-controller");
    ActorRef<Told> told = Adapter.spawn(stage.system(), told(stage), stage.row() + "-told");
    ActorRef<Object> producer =
        Adapter.spawn(
            stage.system(),
            Producing.of(
                next(),
                self -> {
                  controller.tell(new ProducerController.Start<>(self));
                  started.countDown();
                },
                demand::release,
                (next, number) -> next.sendNextTo().tell(new Work(number))),
            stage.row());
    // The consumer comes last: whichever does makes the first demand, and it is to be in its trace.
    if (!started.await(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(stage.row() + ": there is no producer");
    }
    Adapter.toTyped(stage.remote("/user/delivery-host")).tell(new Consume(controller, lost, told));
    send(stage, producer, demand);
    stage.await(lost == 0 ? 3 : 5);
  }

  /** Sends three messages, each once there is demand for it. */
  static void send(Stage stage, ActorRef<Object> producer, Semaphore demand) throws Exception {
    for (int i = 0; i < 3; i++) {
      awaitDemand(stage, demand);
      producer.tell(new Begin());
    }
    awaitDemand(stage, demand);
  }

  private static void awaitDemand(Stage stage, Semaphore demand) throws InterruptedException {
    if (!demand.tryAcquire(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(stage.row() + ": there is no demand");
    }
  }

  /** Signals what was delivered. */
  static Behavior<Told> told(Stage stage) {
    return Behaviors.receiveMessage(
        got -> {
          stage.signal();
          return Behaviors.same();
        });
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static Class<ProducerController.RequestNext<Work>> next() {
    return (Class<ProducerController.RequestNext<Work>>)
        (Class<?>) ProducerController.RequestNext.class;
  }
}
