// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Status;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.server.Directives;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Done;
import scenarios.Messages.Work;

/** From a web server through an actor to a database and to another server, and back. */
final class Serving {
  private Serving() {}

  static void addTo(Scenes all) {
    all.add("http-classic", stage -> run(stage, false));
    all.add("http-failing", stage -> run(stage, true));
  }

  private static void run(Stage stage, boolean fails) throws Exception {
    String database = "jdbc:h2:mem:" + stage.name();
    // An H2 in memory is there as long as somebody is connected to it.
    try (Connection kept = DriverManager.getConnection(database)) {
      kept.createStatement().execute("CREATE TABLE orders (id INT PRIMARY KEY)");
      int prices = bind(stage, Directives.path("price", () -> Directives.complete("5")));
      ActorRef shop =
          stage.actor(Props.create(Shop.class, () -> new Shop(database, prices, fails)), "shop");
      int orders =
          bind(
              stage,
              Directives.path(
                  "order",
                  () ->
                      Directives.onSuccess(
                          () -> Patterns.ask(shop, new Work(1), Stage.PATIENCE),
                          done -> Directives.complete("done"))));
      HttpResponse<String> response =
          HttpClient.newHttpClient()
              .send(
                  java.net.http.HttpRequest.newBuilder(
                          URI.create("http://127.0.0.1:" + orders + "/order"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != (fails ? 500 : 200)
          || !(fails || response.body().equals("done"))) {
        throw new IllegalStateException(response.statusCode() + " " + response.body());
      }
    }
  }

  private static int bind(Stage stage, Route route) throws Exception {
    ServerBinding binding =
        Http.get(stage.system())
            .newServerAt("127.0.0.1", 0)
            .bind(route)
            .toCompletableFuture()
            .get(90, TimeUnit.SECONDS);
    return binding.localAddress().getPort();
  }

  /** Notes an order, and asks for its price elsewhere before it answers. */
  static final class Shop extends AbstractActor {
    private final String database;
    private final int prices;
    private final boolean fails;

    Shop(String database, int prices, boolean fails) {
      this.database = database;
      this.prices = prices;
      this.fails = fails;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Work.class, this::order).build();
    }

    private void order(Work work) throws SQLException {
      try (Connection connection = DriverManager.getConnection(database);
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
        insert.setInt(1, work.number());
        insert.executeUpdate();
      }
      if (fails) {
        IllegalStateException failure = new IllegalStateException("out of stock");
        getSender().tell(new Status.Failure(failure), getSelf());
        throw failure;
      }
      ActorSystem system = getContext().getSystem();
      CompletionStage<Done> done =
          Http.get(system)
              .singleRequest(HttpRequest.create("http://127.0.0.1:" + prices + "/price"))
              .thenCompose(
                  response -> response.entity().toStrict(Stage.PATIENCE.toMillis(), system))
              .thenApply(price -> new Done(Integer.parseInt(price.getData().utf8String())));
      Patterns.pipe(done, system.dispatcher()).to(getSender());
    }
  }
}
