// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ShoppingCartTest {
  private static final ActorTestKit testKit = ActorTestKit.create(TestSystem.LOCAL);
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(50);

  private final TestProbe<ShoppingCart.Reply> customer = testKit.createTestProbe();
  private final TestProbe<Inventory.Command> inventory = testKit.createTestProbe();
  private final TestProbe<ClusterSharding.ShardCommand> shard = testKit.createTestProbe();
  private final TestKit payments = new TestKit(Adapter.toClassic(testKit.system()));

  @AfterAll
  static void stop() {
    testKit.shutdownTestKit();
  }

  @Test
  void addItem_inStock_isInTheCartAtItsPrice() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);

    assertThat(add(cart, "mug", 2)).isEqualTo(contents(false, line("mug", 2)));
    assertThat(add(cart, "mug", 1)).isEqualTo(contents(false, line("mug", 3)));
  }

  @Test
  void addItem_unknownArticle_isRefused() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);

    cart.tell(new ShoppingCart.AddItem("moon", 1, customer.ref()));

    assertRefused(ShoppingCart.Refusal.UNKNOWN_ARTICLE);
  }

  @Test
  void addItem_outOfStock_isRefused() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);

    cart.tell(new ShoppingCart.AddItem("mug", 9, customer.ref()));
    inventory
        .expectMessageClass(Inventory.Reserve.class)
        .replyTo()
        .tell(new Inventory.OutOfStock("mug", 5));

    assertRefused(ShoppingCart.Refusal.OUT_OF_STOCK);
  }

  @Test
  void checkout_emptyCart_isRefused() {
    cart(NEVER, NEVER).tell(new ShoppingCart.Checkout(customer.ref()));

    assertRefused(ShoppingCart.Refusal.EMPTY_CART);
  }

  @Test
  void checkout_approved_confirmsAndAnnouncesTheOrder() {
    TestProbe<ShopEvent.OrderPlaced> listener = testKit.createTestProbe();
    subscribe(ShopEvent.OrderPlaced.class, listener);
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);
    add(cart, "mug", 2);

    cart.tell(new ShoppingCart.Checkout(customer.ref()));
    PaymentActor.Charge charge = payments.expectMsgClass(PaymentActor.Charge.class);
    payments.reply(new PaymentActor.Approved(charge.orderId()));

    assertThat(charge).isEqualTo(new PaymentActor.Charge("order-c1", 2_180));
    customer.expectMessage(new ShoppingCart.OrderConfirmed("order-c1", 2_180));
    listener.expectMessage(new ShopEvent.OrderPlaced("order-c1", 2, 2_180));
  }

  @Test
  void requests_whilePaymentIsPending_areAnsweredAfterIt() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);
    TestProbe<ShoppingCart.Reply> onlooker = testKit.createTestProbe();
    add(cart, "mug", 1);
    cart.tell(new ShoppingCart.Checkout(customer.ref()));
    payments.expectMsgClass(PaymentActor.Charge.class);

    cart.tell(new ShoppingCart.GetCart(onlooker.ref()));
    cart.tell(new ShoppingCart.AddItem("mug", 1, onlooker.ref()));
    onlooker.expectNoMessage(SOON);
    payments.reply(new PaymentActor.Approved("order-c1"));

    onlooker.expectMessage(contents(true, line("mug", 1)));
    assertThat(onlooker.receiveMessage())
        .isEqualTo(
            new ShoppingCart.Refused(
                ShoppingCart.Refusal.ALREADY_ORDERED, "this cart was ordered as order-c1"));
  }

  @Test
  void checkout_declined_isRefusedAndMayBeTriedAgain() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);
    add(cart, "mug", 1);

    cart.tell(new ShoppingCart.Checkout(customer.ref()));
    payments.expectMsgClass(PaymentActor.Charge.class);
    payments.reply(new PaymentActor.Declined("order-c1"));
    assertRefused(ShoppingCart.Refusal.PAYMENT_DECLINED);

    cart.tell(new ShoppingCart.Checkout(customer.ref()));
    payments.expectMsgClass(PaymentActor.Charge.class);
  }

  @Test
  void checkout_networkBroken_isRefused() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);
    add(cart, "mug", 1);

    cart.tell(new ShoppingCart.Checkout(customer.ref()));
    payments.expectMsgClass(PaymentActor.Charge.class);
    payments.reply(new PaymentActor.Unavailable("order-c1", "the line is dead"));

    assertRefused(ShoppingCart.Refusal.PAYMENT_UNAVAILABLE);
  }

  @Test
  void checkout_noAnswer_timesOutAndTheCartStaysOpen() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, SOON);
    add(cart, "mug", 1);

    cart.tell(new ShoppingCart.Checkout(customer.ref()));

    assertRefused(ShoppingCart.Refusal.PAYMENT_TIMED_OUT);
    cart.tell(new ShoppingCart.GetCart(customer.ref()));
    customer.expectMessage(contents(false, line("mug", 1)));
  }

  @Test
  void expiry_withItems_putsThemBackAndAsksToBePassivated() {
    TestProbe<ShopEvent.CartAbandoned> listener = testKit.createTestProbe();
    subscribe(ShopEvent.CartAbandoned.class, listener);
    ActorRef<ShoppingCart.Command> cart = cart(Duration.ofMillis(500), NEVER);
    add(cart, "mug", 2);

    inventory.expectMessage(new Inventory.Release("mug", 2));
    listener.expectMessage(new ShopEvent.CartAbandoned("c1", 2));
    shard.expectMessageClass(ClusterSharding.Passivate.class);
  }

  @Test
  void stop_openCart_stops() {
    ActorRef<ShoppingCart.Command> cart = cart(NEVER, NEVER);

    cart.tell(ShoppingCart.Stop.INSTANCE);

    customer.expectTerminated(cart);
  }

  @Test
  void messages_betweenNodes_surviveSerialization() {
    List.of(
            new ShoppingCart.AddItem("mug", 1, customer.ref()),
            new ShoppingCart.GetCart(customer.ref()),
            new ShoppingCart.Checkout(customer.ref()),
            ShoppingCart.Stop.INSTANCE,
            contents(false, line("mug", 1)),
            new ShoppingCart.OrderConfirmed("order-c1", 1_090),
            new ShoppingCart.Refused(ShoppingCart.Refusal.OUT_OF_STOCK, "none left"))
        .forEach(message -> testKit.serializationTestKit().verifySerialization(message, true));
  }

  private ActorRef<ShoppingCart.Command> cart(Duration expireAfter, Duration paymentTimeout) {
    return testKit.spawn(
        ShoppingCart.create(
            "c1",
            new ShoppingCart.Partners(
                testKit.spawn(Pricing.create()), inventory.ref(), payments.getRef()),
            new ShopSettings.Cart(expireAfter, paymentTimeout),
            shard.ref()));
  }

  private ShoppingCart.Reply add(ActorRef<ShoppingCart.Command> cart, String sku, int quantity) {
    cart.tell(new ShoppingCart.AddItem(sku, quantity, customer.ref()));
    inventory
        .expectMessageClass(Inventory.Reserve.class)
        .replyTo()
        .tell(new Inventory.Reserved(sku, quantity));
    return customer.receiveMessage();
  }

  /** The event stream's actor sees this before anything that is published later. */
  private static <E extends ShopEvent> void subscribe(Class<E> type, TestProbe<E> listener) {
    testKit.system().eventStream().tell(new EventStream.Subscribe<>(type, listener.ref()));
  }

  private void assertRefused(ShoppingCart.Refusal reason) {
    assertThat(customer.expectMessageClass(ShoppingCart.Refused.class).reason()).isEqualTo(reason);
  }

  private static ShoppingCart.Contents contents(boolean ordered, ShoppingCart.Line line) {
    return new ShoppingCart.Contents(
        "c1", List.of(line), line.quantity() * line.unitPriceCents(), ordered);
  }

  private static ShoppingCart.Line line(String sku, int quantity) {
    return new ShoppingCart.Line(sku, quantity, Catalogue.priceCents(sku).orElseThrow());
  }
}
