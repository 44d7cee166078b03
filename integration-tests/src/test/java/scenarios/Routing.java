// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.routing.BalancingPool;
import org.apache.pekko.routing.Broadcast;
import org.apache.pekko.routing.ConsistentHashingPool;
import org.apache.pekko.routing.RoundRobinGroup;
import org.apache.pekko.routing.RoundRobinPool;
import scenarios.Messages.Work;

/** Classic routers. */
public final class Routing {
  private static final String TWO_OF_A_POOL =
      """
      process Begin at /user/front
        process Work at /user/pool/$ from /user/front
          process Done at /user/front from /user/pool/$
        process Work at /user/pool/$ from /user/front
          process Done at /user/front from /user/pool/$
      """;

  private Routing() {}

  public static void addTo(Scenes all) {
    all.add("router-pool", s -> route(s, new RoundRobinPool(2).props(Echo.props())), TWO_OF_A_POOL);
    all.add(
        "router-balancing", s -> route(s, new BalancingPool(2).props(Echo.props())), TWO_OF_A_POOL);
    all.add("router-hashing", Routing::hashing, TWO_OF_A_POOL);
    all.add(
        "router-group",
        Routing::group,
        """
        process Begin at /user/front
          process Work at /user/one from /user/front
            process Done at /user/front from /user/one
          process Work at /user/two from /user/front
            process Done at /user/front from /user/two
        """);
    all.add(
        "router-broadcast",
        Routing::broadcast,
        """
        process Begin at /user/front
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
          process Work at /user/pool/$ from /user/front
            process Done at /user/front from /user/pool/$
        """);
  }

  private static void route(Stage stage, Props router) throws Exception {
    ActorRef pool = stage.actor(router, "pool");
    stage.begin(
        2,
        f -> {
          pool.tell(new Work(1), f.getSelf());
          pool.tell(new Work(2), f.getSelf());
        });
  }

  private static void hashing(Stage stage) throws Exception {
    route(
        stage,
        new ConsistentHashingPool(2)
            .withHashMapper(message -> ((Work) message).number())
            .props(Echo.props()));
  }

  private static void group(Stage stage) throws Exception {
    stage.actor(Echo.props(), "one");
    stage.actor(Echo.props(), "two");
    route(stage, new RoundRobinGroup(List.of("/user/one", "/user/two")).props());
  }

  private static void broadcast(Stage stage) throws Exception {
    ActorRef pool = stage.actor(new RoundRobinPool(3).props(Echo.props()), "pool");
    stage.begin(3, f -> pool.tell(new Broadcast(new Work(1)), f.getSelf()));
  }
}
