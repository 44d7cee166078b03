// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.Routers;

/**
 * Counts the stock of some of the articles. Several of these stand behind a router that always
 * sends the same article to the same one, so each article is counted in one place.
 */
final class Inventory extends AbstractBehavior<Inventory.Command> {
  private static final int VIRTUAL_NODES = 10;

  sealed interface Command extends CborSerializable {
    String sku();
  }

  /** Set pieces aside for a cart, all or none. */
  record Reserve(String sku, int quantity, ActorRef<Answer> replyTo) implements Command {}

  /** Put back what a cart had set aside. */
  record Release(String sku, int quantity) implements Command {}

  /** The warehouse moved pieces onto the shelf, or off it if negative. */
  record StockMoved(String sku, int quantity) implements Command {}

  sealed interface Answer extends CborSerializable {}

  record Reserved(String sku, int quantity) implements Answer {}

  record OutOfStock(String sku, int available) implements Answer {}

  private final ShopSettings.Inventory settings;
  private final Map<String, Integer> available = new HashMap<>();

  private Inventory(ActorContext<Command> context, ShopSettings.Inventory settings) {
    super(context);
    this.settings = settings;
  }

  static Behavior<Command> create(ShopSettings.Inventory settings) {
    return Behaviors.setup(context -> new Inventory(context, settings));
  }

  /** The router and its workers. */
  static Behavior<Command> pool(ShopSettings.Inventory settings) {
    Behavior<Command> worker =
        Behaviors.supervise(create(settings)).onFailure(SupervisorStrategy.restart());
    return Routers.pool(settings.workers(), worker)
        .withConsistentHashingRouting(VIRTUAL_NODES, Command::sku);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Reserve.class, this::reserve)
        .onMessage(Release.class, release -> move(release.sku(), release.quantity()))
        .onMessage(StockMoved.class, moved -> move(moved.sku(), moved.quantity()))
        .build();
  }

  private Behavior<Command> reserve(Reserve reserve) {
    int stock = stockOf(reserve.sku());
    if (stock < reserve.quantity()) {
      reserve.replyTo().tell(new OutOfStock(reserve.sku(), stock));
      return this;
    }
    available.put(reserve.sku(), stock - reserve.quantity());
    reserve.replyTo().tell(new Reserved(reserve.sku(), reserve.quantity()));
    return this;
  }

  /** A shelf is never less than empty, and never more than full. */
  private Behavior<Command> move(String sku, int quantity) {
    int stock = stockOf(sku) + quantity;
    available.put(sku, Math.max(0, Math.min(stock, settings.shelfCapacity())));
    return this;
  }

  private int stockOf(String sku) {
    return available.getOrDefault(sku, settings.shelfCapacity());
  }
}
