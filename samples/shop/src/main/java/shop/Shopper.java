// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Plays one visitor: fills a cart, looks at it, pays, leaves; and thinks for a moment before each
 * step.
 *
 * <p>Some never pay. Some look at the cart while the payment is still pending. A few walk away
 * without waiting for the answer, which then finds nobody.
 */
final class Shopper extends AbstractBehavior<Shopper.Command> {
  private static final int GREATEST_NUMBER_OF_ITEMS = 5;
  private static final int GREATEST_QUANTITY = 2;
  private static final double LEAVES_UNPAID_SHARE = 0.03;
  private static final double LOOKS_WHILE_PAYING_SHARE = 0.2;
  private static final double IMPATIENT_SHARE = 0.01;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  sealed interface Command {}

  private enum Proceed implements Command {
    INSTANCE
  }

  private record Answered(int status) implements Command {}

  private record Unanswered(Throwable cause) implements Command {}

  private enum Step {
    ADD_ITEM,
    LOOK,
    PAY
  }

  private final String cartId;
  private final ShopClient shop;
  private final RandomGenerator random;
  private final TimerScheduler<Command> timers;
  private final Duration longestThought;
  private final Deque<Step> plan = new ArrayDeque<>();
  private int answersAwaited;
  private boolean mayRetry = true;

  private Shopper(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      String cartId,
      ShopClient shop,
      RandomGenerator random,
      Duration longestThought) {
    super(context);
    this.timers = timers;
    this.cartId = cartId;
    this.shop = shop;
    this.random = random;
    this.longestThought = longestThought;
    context.setLoggerName(Shopper.class);
    makePlan();
    think();
  }

  static Behavior<Command> create(
      String cartId, ShopClient shop, RandomGenerator random, Duration longestThought) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new Shopper(context, timers, cartId, shop, random, longestThought)));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessageEquals(Proceed.INSTANCE, this::proceed)
        .onMessage(Answered.class, answered -> afterAnswer(answered.status()))
        .onMessage(Unanswered.class, this::leave)
        .build();
  }

  private void makePlan() {
    int items = 1 + random.nextInt(GREATEST_NUMBER_OF_ITEMS);
    for (int i = 0; i < items; i++) {
      plan.add(Step.ADD_ITEM);
    }
    plan.add(Step.LOOK);
    if (random.nextDouble() >= LEAVES_UNPAID_SHARE) {
      plan.add(Step.PAY);
    }
  }

  private Behavior<Command> proceed() {
    Step step = plan.poll();
    if (step == null) {
      return Behaviors.stopped();
    }
    switch (step) {
      case ADD_ITEM -> await(addItem());
      case LOOK -> await(shop.showCart(cartId));
      case PAY -> pay();
    }
    boolean walksAway = step == Step.PAY && random.nextDouble() < IMPATIENT_SHARE;
    return walksAway ? Behaviors.stopped() : this;
  }

  private CompletionStage<Integer> addItem() {
    String sku = Catalogue.skus().get(random.nextInt(Catalogue.skus().size()));
    return shop.addItem(cartId, sku, 1 + random.nextInt(GREATEST_QUANTITY));
  }

  private void pay() {
    await(shop.checkout(cartId));
    if (random.nextDouble() < LOOKS_WHILE_PAYING_SHARE) {
      await(shop.showCart(cartId));
    }
  }

  private void await(CompletionStage<Integer> answer) {
    answersAwaited++;
    getContext()
        .pipeToSelf(
            answer,
            (status, failure) -> failure == null ? new Answered(status) : new Unanswered(failure));
  }

  private Behavior<Command> afterAnswer(int status) {
    answersAwaited--;
    if (mayRetry && (status == BAD_GATEWAY || status == GATEWAY_TIMEOUT)) {
      mayRetry = false;
      plan.addFirst(Step.PAY);
    }
    if (answersAwaited == 0) {
      think();
    }
    return this;
  }

  private Behavior<Command> leave(Unanswered unanswered) {
    String cause = unanswered.cause().toString();
    getContext()
        .getLog()
        .warn("{}: no answer: {}", cartId, cause.substring(0, Math.min(cause.length(), 160)));
    return Behaviors.stopped();
  }

  private void think() {
    long nanos = random.nextLong(longestThought.toNanos() / 4, longestThought.toNanos());
    timers.startSingleTimer(Proceed.INSTANCE, Duration.ofNanos(nanos));
  }
}
