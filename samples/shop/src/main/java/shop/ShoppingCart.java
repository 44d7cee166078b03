// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.pattern.Patterns;

/**
 * One visitor's cart, a sharded entity.
 *
 * <p>It does one thing at a time: <i>open</i> → <i>adding</i> (price, then stock) → <i>open</i> →
 * <i>paying</i> → <i>ordered</i>. Messages that arrive while it adds or pays are stashed. A cart left alone
 * expires; an ordered one is passivated by sharding once it is idle.
 */
final class ShoppingCart {
  static final EntityTypeKey<Command> TYPE_KEY =
      EntityTypeKey.create(Command.class, "ShoppingCart");

  private static final int STASH_CAPACITY = 32;

  /** The messages of a cart. */
  sealed interface Command extends CborSerializable {}

  record AddItem(String sku, int quantity, ActorRef<Reply> replyTo) implements Command {}

  record GetCart(ActorRef<Reply> replyTo) implements Command {}

  record Checkout(ActorRef<Reply> replyTo) implements Command {}

  /** Sharding's stop message. */
  enum Stop implements Command {
    INSTANCE
  }

  private enum Expire implements Command {
    INSTANCE
  }

  private record PriceAnswered(Pricing.Answer answer) implements Command {}

  private record StockAnswered(Inventory.Answer answer) implements Command {}

  private record PaymentAnswered(PaymentActor.Answer answer) implements Command {}

  private record PaymentLost(Throwable cause) implements Command {}

  /** The answers of a cart. */
  sealed interface Reply extends CborSerializable {}

  record Contents(String cartId, List<Line> lines, long totalCents, boolean ordered)
      implements Reply {}

  record Line(String sku, int quantity, long unitPriceCents) {}

  record OrderConfirmed(String orderId, long totalCents) implements Reply {}

  record Refused(Refusal reason, String text) implements Reply {}

  /** Why a cart says no. */
  enum Refusal {
    UNKNOWN_ARTICLE,
    OUT_OF_STOCK,
    EMPTY_CART,
    ALREADY_ORDERED,
    PAYMENT_DECLINED,
    PAYMENT_UNAVAILABLE,
    PAYMENT_TIMED_OUT
  }

  /** The actors that a cart works with. */
  record Partners(
      ActorRef<Pricing.PriceRequest> pricing,
      ActorRef<Inventory.Command> inventory,
      org.apache.pekko.actor.ActorRef payments) {}

  private final String cartId;
  private final Partners partners;
  private final ShopSettings.Cart settings;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final StashBuffer<Command> stash;
  private final ActorRef<Pricing.Answer> priceAnswers;
  private final ActorRef<Inventory.Answer> stockAnswers;
  private final Map<String, Line> lines = new LinkedHashMap<>();

  private ShoppingCart(
      String cartId,
      Partners partners,
      ShopSettings.Cart settings,
      ActorRef<ClusterSharding.ShardCommand> shard,
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      StashBuffer<Command> stash) {
    this.cartId = cartId;
    this.partners = partners;
    this.settings = settings;
    this.shard = shard;
    this.context = context;
    this.timers = timers;
    this.stash = stash;
    context.setLoggerName(ShoppingCart.class);
    priceAnswers = context.messageAdapter(Pricing.Answer.class, PriceAnswered::new);
    stockAnswers = context.messageAdapter(Inventory.Answer.class, StockAnswered::new);
  }

  static Behavior<Command> create(
      String cartId,
      Partners partners,
      ShopSettings.Cart settings,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    Behaviors.withStash(
                        STASH_CAPACITY,
                        stash ->
                            new ShoppingCart(
                                    cartId, partners, settings, shard, context, timers, stash)
                                .start())));
  }

  private Behavior<Command> start() {
    restartExpiry();
    return open();
  }

  // ---- open

  private Behavior<Command> open() {
    return Behaviors.receive(Command.class)
        .onMessage(AddItem.class, this::addItem)
        .onMessage(GetCart.class, this::showContents)
        .onMessage(Checkout.class, this::checkout)
        .onMessageEquals(Expire.INSTANCE, this::expire)
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .build();
  }

  private Behavior<Command> addItem(AddItem request) {
    restartExpiry();
    partners
        .pricing()
        .tell(new Pricing.PriceRequest(request.sku(), request.quantity(), priceAnswers));
    return awaitingPrice(request);
  }

  private Behavior<Command> checkout(Checkout request) {
    if (lines.isEmpty()) {
      return refuse(request.replyTo(), Refusal.EMPTY_CART, "there is nothing in this cart");
    }
    PaymentActor.Charge charge = new PaymentActor.Charge(orderId(), totalCents());
    context.pipeToSelf(
        Patterns.ask(partners.payments(), charge, settings.paymentTimeout()),
        (answer, failure) ->
            failure == null
                ? new PaymentAnswered((PaymentActor.Answer) answer)
                : new PaymentLost(failure));
    return paying(request.replyTo());
  }

  /** Nobody came back: what was set aside goes back to the shelf, and the entity may go. */
  private Behavior<Command> expire() {
    lines
        .values()
        .forEach(
            line -> partners.inventory().tell(new Inventory.Release(line.sku(), line.quantity())));
    if (!lines.isEmpty()) {
      publish(new ShopEvent.CartAbandoned(cartId, pieces()));
    }
    lines.clear();
    shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
    return Behaviors.same();
  }

  // ---- adding

  private Behavior<Command> awaitingPrice(AddItem request) {
    return Behaviors.receive(Command.class)
        .onMessage(PriceAnswered.class, message -> priced(request, message.answer()))
        .onAnyMessage(this::stash)
        .build();
  }

  private Behavior<Command> priced(AddItem request, Pricing.Answer answer) {
    if (answer instanceof Pricing.Quote quote) {
      partners
          .inventory()
          .tell(new Inventory.Reserve(request.sku(), request.quantity(), stockAnswers));
      return awaitingStock(request, quote.unitPriceCents());
    }
    refuse(request.replyTo(), Refusal.UNKNOWN_ARTICLE, "no such article: " + request.sku());
    return stash.unstashAll(open());
  }

  private Behavior<Command> awaitingStock(AddItem request, long unitPriceCents) {
    return Behaviors.receive(Command.class)
        .onMessage(
            StockAnswered.class, message -> reserved(request, unitPriceCents, message.answer()))
        .onAnyMessage(this::stash)
        .build();
  }

  private Behavior<Command> reserved(
      AddItem request, long unitPriceCents, Inventory.Answer answer) {
    if (answer instanceof Inventory.OutOfStock none) {
      String text = "only " + none.available() + " left of " + none.sku();
      refuse(request.replyTo(), Refusal.OUT_OF_STOCK, text);
    } else {
      put(new Line(request.sku(), request.quantity(), unitPriceCents));
      request.replyTo().tell(contents(false));
    }
    return stash.unstashAll(open());
  }

  /** A second helping joins the first, at the newer price. */
  private void put(Line added) {
    lines.merge(
        added.sku(),
        added,
        (old, more) ->
            new Line(more.sku(), old.quantity() + more.quantity(), more.unitPriceCents()));
  }

  // ---- paying

  private Behavior<Command> paying(ActorRef<Reply> customer) {
    return Behaviors.receive(Command.class)
        .onMessage(PaymentAnswered.class, message -> paid(customer, message.answer()))
        .onMessage(PaymentLost.class, message -> paymentLost(customer, message.cause()))
        .onAnyMessage(this::stash)
        .build();
  }

  private Behavior<Command> paid(ActorRef<Reply> customer, PaymentActor.Answer answer) {
    if (answer instanceof PaymentActor.Approved) {
      return confirm(customer);
    }
    if (answer instanceof PaymentActor.Unavailable unavailable) {
      refuse(customer, Refusal.PAYMENT_UNAVAILABLE, unavailable.reason());
    } else {
      refuse(customer, Refusal.PAYMENT_DECLINED, "the card was declined");
    }
    return stash.unstashAll(open());
  }

  private Behavior<Command> confirm(ActorRef<Reply> customer) {
    timers.cancel(Expire.INSTANCE);
    publish(new ShopEvent.OrderPlaced(orderId(), pieces(), totalCents()));
    customer.tell(new OrderConfirmed(orderId(), totalCents()));
    return stash.unstashAll(ordered());
  }

  /** The cart stays open, and a second try sends the same order number, so nobody pays twice. */
  private Behavior<Command> paymentLost(ActorRef<Reply> customer, Throwable cause) {
    if (cause instanceof TimeoutException) {
      long millis = settings.paymentTimeout().toMillis();
      context.getLog().warn("payment of {} timed out after {} ms", orderId(), millis);
      refuse(customer, Refusal.PAYMENT_TIMED_OUT, "the payment took too long");
    } else {
      context.getLog().warn("payment of {} failed: {}", orderId(), cause.toString());
      refuse(customer, Refusal.PAYMENT_UNAVAILABLE, "payments are not available");
    }
    return stash.unstashAll(open());
  }

  // ---- ordered

  private Behavior<Command> ordered() {
    return Behaviors.receive(Command.class)
        .onMessage(AddItem.class, request -> refuseOrdered(request.replyTo()))
        .onMessage(Checkout.class, request -> refuseOrdered(request.replyTo()))
        .onMessage(
            GetCart.class,
            request -> {
              request.replyTo().tell(contents(true));
              return Behaviors.same();
            })
        .onMessageEquals(Expire.INSTANCE, Behaviors::same)
        .onMessageEquals(Stop.INSTANCE, Behaviors::stopped)
        .build();
  }

  private Behavior<Command> refuseOrdered(ActorRef<Reply> customer) {
    return refuse(customer, Refusal.ALREADY_ORDERED, "this cart was ordered as " + orderId());
  }

  // ---- common

  private Behavior<Command> showContents(GetCart request) {
    request.replyTo().tell(contents(false));
    return Behaviors.same();
  }

  private Behavior<Command> stash(Command command) {
    if (stash.isFull()) {
      return Behaviors.unhandled();
    }
    stash.stash(command);
    return Behaviors.same();
  }

  private static Behavior<Command> refuse(ActorRef<Reply> customer, Refusal reason, String text) {
    customer.tell(new Refused(reason, text));
    return Behaviors.same();
  }

  private void restartExpiry() {
    timers.startSingleTimer(Expire.INSTANCE, settings.expireAfter());
  }

  private void publish(ShopEvent event) {
    context.getSystem().eventStream().tell(new EventStream.Publish<>(event));
  }

  private String orderId() {
    return "order-" + cartId;
  }

  private Contents contents(boolean ordered) {
    return new Contents(cartId, List.copyOf(lines.values()), totalCents(), ordered);
  }

  private int pieces() {
    return lines.values().stream().mapToInt(Line::quantity).sum();
  }

  private long totalCents() {
    return lines.values().stream().mapToLong(line -> line.quantity() * line.unitPriceCents()).sum();
  }
}
