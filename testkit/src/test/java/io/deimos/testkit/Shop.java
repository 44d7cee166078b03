// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** A small application under test, as a user would write it: nothing of Deimos in it. */
final class Shop implements AutoCloseable {
  /** An order; a negative number cannot be charged. */
  record Place(int number, ActorRef<Charged> replyTo) {}

  record Charge(int number, ActorRef<Charged> replyTo) {}

  record Charged(int number) {}

  final ActorSystem<SpawnProtocol.Command> system;
  private final ActorRef<Place> orders;

  Shop(String name) {
    system = ActorSystem.create(SpawnProtocol.create(), name);
    ActorRef<Charge> payments = spawn(Behaviors.setup(Payments::new), "payments");
    orders = spawn(Behaviors.setup(context -> new Orders(context, payments)), "orders");
  }

  private <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
    return AskPattern.<SpawnProtocol.Command, ActorRef<T>>ask(
            system,
            replyTo -> new SpawnProtocol.Spawn<>(behavior, name, Props.empty(), replyTo),
            Duration.ofSeconds(90),
            system.scheduler())
        .toCompletableFuture()
        .join();
  }

  /** Sends an order; the charge goes nowhere. */
  void place(int number) {
    orders.tell(new Place(number, system.ignoreRef()));
  }

  @Override
  public void close() {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }

  static final class Orders extends AbstractBehavior<Place> {
    private final ActorRef<Charge> payments;

    Orders(ActorContext<Place> context, ActorRef<Charge> payments) {
      super(context);
      this.payments = payments;
    }

    @Override
    public Receive<Place> createReceive() {
      return newReceiveBuilder().onMessage(Place.class, this::onPlace).build();
    }

    private Behavior<Place> onPlace(Place place) {
      payments.tell(new Charge(place.number(), place.replyTo()));
      return this;
    }
  }

  static final class Payments extends AbstractBehavior<Charge> {
    Payments(ActorContext<Charge> context) {
      super(context);
    }

    @Override
    public Receive<Charge> createReceive() {
      return newReceiveBuilder().onMessage(Charge.class, this::onCharge).build();
    }

    private Behavior<Charge> onCharge(Charge charge) {
      if (charge.number() < 0) {
        throw new IllegalArgumentException("cannot charge " + charge.number());
      }
      charge.replyTo().tell(new Charged(charge.number()));
      return this;
    }
  }
}
