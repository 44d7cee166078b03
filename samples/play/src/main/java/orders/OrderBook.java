// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import java.sql.PreparedStatement;
import org.apache.pekko.actor.AbstractActor;
import play.db.Database;

/** Writes each order into the database. */
final class OrderBook extends AbstractActor {
  /** Places an order. */
  record Place(int id) {}

  private final Database database;

  OrderBook(Database database) {
    this.database = database;
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().match(Place.class, this::place).build();
  }

  private void place(Place order) {
    database.withConnection(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            insert.setInt(1, order.id());
            insert.executeUpdate();
          }
        });
    getSender().tell("placed " + order.id(), getSelf());
  }
}
