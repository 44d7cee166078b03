// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.Locale;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Counts what the shop announces and logs one line about it every so often. */
final class Statistics extends AbstractBehavior<Statistics.Command> {

  sealed interface Command {}

  private record Announced(ShopEvent event) implements Command {}

  private enum Tick implements Command {
    INSTANCE
  }

  private final Duration interval;
  private long orders;
  private long revenueCents;
  private long abandonedCarts;

  private Statistics(
      ActorContext<Command> context, TimerScheduler<Command> timers, Duration interval) {
    super(context);
    this.interval = interval;
    context.setLoggerName(Statistics.class);
    timers.startTimerWithFixedDelay(Tick.INSTANCE, interval);
    context
        .getSystem()
        .eventStream()
        .tell(
            new EventStream.Subscribe<>(
                ShopEvent.class, context.messageAdapter(ShopEvent.class, Announced::new)));
  }

  static Behavior<Command> create(Duration interval) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new Statistics(context, timers, interval)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Announced.class, announced -> count(announced.event()))
        .onMessageEquals(Tick.INSTANCE, this::report)
        .build();
  }

  private Behavior<Command> count(ShopEvent event) {
    if (event instanceof ShopEvent.OrderPlaced order) {
      orders++;
      revenueCents += order.totalCents();
    } else {
      abandonedCarts++;
    }
    return this;
  }

  private Behavior<Command> report() {
    getContext()
        .getLog()
        .info(
            String.format(
                Locale.ROOT,
                "%d orders worth %.2f and %d abandoned carts in %d s",
                orders,
                revenueCents / 100.0,
                abandonedCarts,
                interval.toSeconds()));
    orders = 0;
    revenueCents = 0;
    abandonedCarts = 0;
    return this;
  }
}
