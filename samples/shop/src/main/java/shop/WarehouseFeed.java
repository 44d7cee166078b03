// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Plays the warehouse: tells the inventory of every piece that is put on a shelf or broken. */
final class WarehouseFeed extends AbstractBehavior<WarehouseFeed.Command> {
  private static final Duration TICK = Duration.ofMillis(20);
  private static final double BROKEN_SHARE = 0.05;

  sealed interface Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private final ActorRef<Inventory.Command> inventory;
  private final RandomGenerator random;
  private final Pace pace;

  private WarehouseFeed(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<Inventory.Command> inventory,
      RandomGenerator random,
      double movesPerSecond) {
    super(context);
    this.inventory = inventory;
    this.random = random;
    pace = new Pace(movesPerSecond, TICK);
    timers.startTimerAtFixedRate(Tick.INSTANCE, TICK);
  }

  static Behavior<Command> create(
      ActorRef<Inventory.Command> inventory, RandomGenerator random, double movesPerSecond) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new WarehouseFeed(context, timers, inventory, random, movesPerSecond)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onMessageEquals(Tick.INSTANCE, this::move).build();
  }

  private Behavior<Command> move() {
    List<String> skus = Catalogue.skus();
    for (int due = pace.due(); due > 0; due--) {
      String sku = skus.get(random.nextInt(skus.size()));
      int quantity = random.nextDouble() < BROKEN_SHARE ? -1 : 1;
      inventory.tell(new Inventory.StockMoved(sku, quantity));
    }
    return this;
  }
}
