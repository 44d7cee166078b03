// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;

/**
 * Remembers the newest orders. It listens to all that the shop announces, and minds orders only.
 */
final class RecentOrders extends UntypedAbstractActor {

  /** Answered by {@link Orders}. */
  enum GetOrders implements CborSerializable {
    INSTANCE
  }

  /** The newest first. */
  record Orders(List<ShopEvent.OrderPlaced> orders) implements CborSerializable {}

  private final int limit;
  private final Deque<ShopEvent.OrderPlaced> orders = new ArrayDeque<>();

  private RecentOrders(int limit) {
    this.limit = limit;
  }

  static Props props(int limit) {
    return Props.create(RecentOrders.class, () -> new RecentOrders(limit));
  }

  @Override
  public void preStart() {
    getContext().getSystem().eventStream().subscribe(getSelf(), ShopEvent.class);
  }

  @Override
  public void onReceive(Object message) {
    if (message instanceof ShopEvent.OrderPlaced order) {
      remember(order);
    } else if (message == GetOrders.INSTANCE) {
      getSender().tell(new Orders(List.copyOf(orders)), getSelf());
    } else {
      unhandled(message);
    }
  }

  private void remember(ShopEvent.OrderPlaced order) {
    orders.addFirst(order);
    if (orders.size() > limit) {
      orders.removeLast();
    }
  }
}
