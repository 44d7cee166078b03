// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.delivery.ConsumerController;
import org.apache.pekko.actor.typed.delivery.ProducerController;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import scenarios.Tool;
import wire.Messages.Begin;
import wire.Messages.Work;

/** Reliable delivery from one node to another, of which a message may get lost on its way. */
final class Delivery {
  private Delivery() {}

  /** Wants a consumer for a producer; {@code lost} is the number of the message to lose, or 0. */
  record Consume(ActorRef<ProducerController.Command<Work>> producer, int lost, ActorRef<Got> told)
      implements Serializable {}

  record Got(int number) implements Serializable {}

  /** On each node: starts consumers. */
  static Behavior<Consume> host() {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                wanted -> {
                  ActorRef<ConsumerController.Command<Work>> controller =
                      context.spawnAnonymous(losing(wanted.lost()));
                  ActorRef<ConsumerController.Delivery<Work>> consumer =
                      context.spawn(consumer(wanted.told()), "consumer-" + wanted.lost());
                  controller.tell(new ConsumerController.Start<>(consumer));
                  controller.tell(
                      new ConsumerController.RegisterToProducerController<>(wanted.producer()));
                  return Behaviors.same();
                }));
  }

  private static Behavior<ConsumerController.Delivery<Work>> consumer(ActorRef<Got> told) {
    return Behaviors.receiveMessage(
        delivery -> {
          Tool.seen(delivery.message().token());
          told.tell(new Got(delivery.message().number()));
          delivery.confirmTo().tell(ConsumerController.confirmed());
          return Behaviors.same();
        });
  }

  /** A consumer controller that never sees a message when it comes for the first time. */
  private static Behavior<ConsumerController.Command<Work>> losing(int number) {
    return Behaviors.intercept(
        () ->
            new BehaviorInterceptor<
                ConsumerController.Command<Work>, ConsumerController.Command<Work>>(
                interceptedClass()) {
              private boolean lost = number == 0;

              @Override
              public Behavior<ConsumerController.Command<Work>> aroundReceive(
                  TypedActorContext<ConsumerController.Command<Work>> context,
                  ConsumerController.Command<Work> message,
                  ReceiveTarget<ConsumerController.Command<Work>> target) {
                if (!lost
                    && message instanceof ConsumerController.SequencedMessage<?> sequenced
                    && sequenced.seqNr() == number) {
                  lost = true;
                  return Behaviors.same();
                }
                return target.apply(context, message);
              }
            },
        ConsumerController.create());
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static Class<ConsumerController.Command<Work>> interceptedClass() {
    return (Class<ConsumerController.Command<Work>>) (Class<?>) ConsumerController.Command.class;
  }

  /** Three messages, of which one may get lost at first. */
  static void run(Stage stage, int lost) throws Exception {
    ActorRef<ProducerController.Command<Work>> controller =
        Adapter.spawn(
            stage.system(),
            ProducerController.create(Work.class, stage.row(), Optional.empty()),
            stage.row() + "-controller");
    ActorRef<Got> told = Adapter.spawn(stage.system(), told(stage), stage.row() + "-told");
    ActorRef<Object> producer =
        Adapter.spawn(
            stage.system(),
            Producing.of(
                next(),
                self -> controller.tell(new ProducerController.Start<>(self)),
                (next, number) -> next.sendNextTo().tell(new Work(number))),
            stage.row());
    Adapter.toTyped(stage.remote("/user/delivery-host")).tell(new Consume(controller, lost, told));
    for (int i = 0; i < 3; i++) {
      producer.tell(new Begin());
    }
    stage.await(3);
  }

  /** Signals what was delivered. */
  static Behavior<Got> told(Stage stage) {
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
