// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Lets shoppers in at a steady rate, unless too many are in the shop already. */
final class LoadGenerator extends AbstractBehavior<LoadGenerator.Command> {
  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration LONGEST_THOUGHT = Duration.ofMillis(400);
  private static final int SECONDS_OF_SHOPPERS_AT_ONCE = 4;

  sealed interface Command {}

  /** Ends the load; shoppers still in the shop leave. */
  enum Stop implements Command {
    INSTANCE
  }

  private enum Tick implements Command {
    INSTANCE
  }

  private record ShopperLeft(ActorRef<Shopper.Command> shopper) implements Command {}

  private final ShopClient shop;
  private final RandomGenerator random;
  private final Pace pace;
  private final String carts;
  private final int maxPresent;
  private int present;
  private long visitors;

  private LoadGenerator(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ShopClient shop,
      RandomGenerator random,
      double ordersPerSecond,
      String carts) {
    super(context);
    this.shop = shop;
    this.random = random;
    this.carts = carts;
    maxPresent = (int) Math.ceil(SECONDS_OF_SHOPPERS_AT_ONCE * ordersPerSecond);
    pace = new Pace(ordersPerSecond, TICK);
    timers.startTimerAtFixedRate(Tick.INSTANCE, TICK);
  }

  /**
   * @param carts what the identifiers of carts begin with; another on each node
   */
  static Behavior<Command> create(
      ShopClient shop, RandomGenerator random, double ordersPerSecond, String carts) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new LoadGenerator(context, timers, shop, random, ordersPerSecond, carts)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessageEquals(Tick.INSTANCE, this::letIn)
        .onMessage(ShopperLeft.class, left -> letOut())
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .build();
  }

  private Behavior<Command> letIn() {
    for (int due = pace.due(); due > 0 && present < maxPresent; due--) {
      visitors++;
      present++;
      ActorRef<Shopper.Command> shopper =
          getContext()
              .spawn(
                  Shopper.create(carts + visitors, shop, random, LONGEST_THOUGHT),
                  "shopper-" + visitors);
      getContext().watchWith(shopper, new ShopperLeft(shopper));
    }
    return this;
  }

  private Behavior<Command> letOut() {
    present--;
    return this;
  }
}
