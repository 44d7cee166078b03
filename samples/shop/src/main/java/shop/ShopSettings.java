// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import java.time.Duration;

/** The part of the configuration that is the shop's own, under {@code shop}. */
record ShopSettings(
    Http http, Cart cart, Payment payment, Inventory inventory, Orders orders, Load load) {

  /**
   * @param port 0 for any free port
   * @param askTimeout how long a request waits for its cart
   */
  record Http(String host, int port, Duration askTimeout) {}

  /**
   * @param expireAfter how long an open cart waits for its customer
   * @param paymentTimeout how long a checkout waits for the payment
   */
  record Cart(Duration expireAfter, Duration paymentTimeout) {}

  /**
   * @param connectTime how long it takes to connect to the card network
   * @param failureShare share of charges during which the connection breaks
   * @param declinedShare share of cards that are declined
   * @param lateShare share of charges answered after {@link Cart#paymentTimeout}
   */
  record Payment(
      Duration connectTime, double failureShare, double declinedShare, double lateShare) {}

  /**
   * @param workers number of actors that count stock
   * @param shelfCapacity pieces of one article on a full shelf
   */
  record Inventory(int workers, int shelfCapacity) {}

  /**
   * @param remembered number of orders that {@code GET /orders} shows
   * @param statisticsInterval time between two lines of statistics
   */
  record Orders(int remembered, Duration statisticsInterval) {}

  /**
   * @param ordersPerSecond shoppers who enter the shop per second
   * @param stockMovesPerSecond messages from the warehouse per second
   */
  record Load(boolean enabled, double ordersPerSecond, double stockMovesPerSecond) {}

  /** Reads the section {@code shop}. */
  static ShopSettings of(Config root) {
    Config shop = root.getConfig("shop");
    return new ShopSettings(
        new Http(
            shop.getString("http.host"),
            integer(shop, "http.port", 0, 65_535),
            shop.getDuration("http.ask-timeout")),
        new Cart(shop.getDuration("cart.expire-after"), shop.getDuration("cart.payment-timeout")),
        new Payment(
            shop.getDuration("payment.connect-time"),
            share(shop, "payment.failure-share"),
            share(shop, "payment.declined-share"),
            share(shop, "payment.late-share")),
        new Inventory(
            integer(shop, "inventory.workers", 1, 1_000),
            integer(shop, "inventory.shelf-capacity", 0, 1_000_000)),
        new Orders(
            integer(shop, "orders.remembered", 1, 10_000),
            shop.getDuration("orders.statistics-interval")),
        new Load(
            shop.getBoolean("load.enabled"),
            rate(shop, "load.orders-per-second"),
            rate(shop, "load.stock-moves-per-second")));
  }

  private static double share(Config shop, String key) {
    double value = shop.getDouble(key);
    check(value >= 0.0 && value <= 1.0, shop, key, "0 to 1");
    return value;
  }

  private static double rate(Config shop, String key) {
    double value = shop.getDouble(key);
    check(value >= 0.0 && value <= 100_000.0, shop, key, "0 to 100000");
    return value;
  }

  private static int integer(Config shop, String key, int least, int greatest) {
    int value = shop.getInt(key);
    check(value >= least && value <= greatest, shop, key, least + " to " + greatest);
    return value;
  }

  private static void check(boolean inRange, Config shop, String key, String range) {
    if (!inRange) {
      ConfigValue value = shop.getValue(key);
      throw new ConfigException.BadValue(
          value.origin(), "shop." + key, value.unwrapped() + " is not in the range " + range);
    }
  }
}
