// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.springframework.jdbc.core.JdbcTemplate;

/** Writes each order into the database. */
final class OrderBook {
  /** Places an order. */
  record Place(int id, ActorRef<Placed> replyTo) {}

  /** It is placed. */
  record Placed(int id) {}

  private OrderBook() {}

  static Behavior<Place> create(JdbcTemplate database) {
    return Behaviors.receiveMessage(
        order -> {
          database.update("INSERT INTO orders VALUES (?)", order.id());
          order.replyTo().tell(new Placed(order.id()));
          return Behaviors.same();
        });
  }
}
