// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RecentOrdersTest {
  private static final ActorSystem system = ActorSystem.create("orders", TestSystem.LOCAL);

  private final TestKit client = new TestKit(system);

  @AfterAll
  static void stop() {
    TestKit.shutdownActorSystem(system);
  }

  @Test
  void getOrders_moreThanTheLimit_newestFirst() {
    ActorRef recentOrders = startListening();

    for (int i = 1; i <= 4; i++) {
      system.eventStream().publish(order(i));
    }

    recentOrders.tell(RecentOrders.GetOrders.INSTANCE, client.getRef());
    RecentOrders.Orders answer = client.expectMsgClass(RecentOrders.Orders.class);
    assertThat(answer.orders()).containsExactly(order(4), order(3), order(2));
  }

  @Test
  void abandonedCart_isUnhandled() {
    ActorRef recentOrders = startListening();
    system.eventStream().subscribe(client.getRef(), UnhandledMessage.class);

    ShopEvent abandoned = new ShopEvent.CartAbandoned("cart-1", 2);
    recentOrders.tell(abandoned, ActorRef.noSender());

    UnhandledMessage unhandled = client.expectMsgClass(UnhandledMessage.class);
    assertThat(unhandled.getMessage()).isEqualTo(abandoned);
    assertThat(unhandled.getRecipient()).isEqualTo(recentOrders);
  }

  /** An actor that answers has started, and so has subscribed. */
  private ActorRef startListening() {
    ActorRef recentOrders = system.actorOf(RecentOrders.props(3));
    recentOrders.tell(RecentOrders.GetOrders.INSTANCE, client.getRef());
    client.expectMsgClass(RecentOrders.Orders.class);
    return recentOrders;
  }

  private static ShopEvent.OrderPlaced order(int number) {
    return new ShopEvent.OrderPlaced("order-" + number, number, number * 100L);
  }
}
