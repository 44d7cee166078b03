// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package desk;

import static play.mvc.Results.ok;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import play.ApplicationLoader.Context;
import play.mvc.EssentialFilter;
import play.routing.Router;
import play.routing.RoutingDslComponentsFromContext;

/** An actor, a route that asks it, and one that tells of class loaders. */
final class Parts extends RoutingDslComponentsFromContext {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Router router;

  Parts(Context context) {
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
    ActorRef desk = actorSystem().actorOf(Props.create(Desk.class, Desk::new), "desk");
    return routingDsl()
        .GET("/orders")
        .routingAsync(
            request ->
                Patterns.ask(desk, new Desk.Order0(), PATIENCE)
                    .thenApply(answer -> ok(answer.toString())))
        .GET("/loaders")
        .routingTo(request -> ok(Loader.living()))
        .build();
  }
}
