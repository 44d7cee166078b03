// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import play.ApplicationLoader.Context;
import play.db.DBComponents;
import play.db.Database;
import play.db.HikariCPComponents;
import play.mvc.EssentialFilter;
import play.routing.Router;
import play.routing.RoutingDslComponentsFromContext;

/** The application's parts: a database, an actor in Play's own actor system, one route. */
final class OrdersComponents extends RoutingDslComponentsFromContext
    implements DBComponents, HikariCPComponents {
  private final Router router;

  OrdersComponents(Context context) {
    super(context);
    router = routes();
  }

  @Override
  public List<EssentialFilter> httpFilters() {
    return List.of();
  }

  @Override
  public Router router() {
    return router;
  }

  private Router routes() {
    Database database = database("default");
    database.withConnection(
        connection -> {
          connection
              .createStatement()
              .execute("CREATE TABLE IF NOT EXISTS orders (id INT PRIMARY KEY)");
        });
    ActorRef book =
        actorSystem().actorOf(Props.create(OrderBook.class, () -> new OrderBook(database)), "book");
    OrdersController controller = new OrdersController(book);
    return routingDsl()
        .POST("/orders/:id")
        .routingAsync((request, id) -> controller.place(Integer.parseInt((String) id)))
        .build();
  }
}
