// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.http.javadsl.marshallers.jackson.Jackson;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;
import org.apache.pekko.pattern.Patterns;
import scala.util.Try;

/** The HTTP front: every request becomes an ask to one actor. */
final class ShopRoutes extends AllDirectives {

  /** The body of {@code POST /carts/{id}/items}. */
  record NewItem(String sku, int quantity) {}

  /** The body of every answer that is not a success. */
  record Problem(String problem) {}

  private final ClusterSharding sharding;
  private final ActorRef recentOrders;
  private final Duration askTimeout;

  ShopRoutes(ClusterSharding sharding, ActorRef recentOrders, Duration askTimeout) {
    this.sharding = sharding;
    this.recentOrders = recentOrders;
    this.askTimeout = askTimeout;
  }

  Route create() {
    return concat(
        pathPrefix("carts", () -> pathPrefix(segment(), this::cart)),
        path("orders", () -> get(this::orders)),
        path("health", () -> get(() -> complete("ok"))));
  }

  private Route cart(String cartId) {
    return concat(
        pathEnd(() -> get(() -> askCart(cartId, ShoppingCart.GetCart::new))),
        path(
            "items",
            () -> post(() -> entity(Jackson.unmarshaller(NewItem.class), i -> add(cartId, i)))),
        path("checkout", () -> post(() -> askCart(cartId, ShoppingCart.Checkout::new))));
  }

  private Route add(String cartId, NewItem item) {
    if (item.sku() == null || item.quantity() < 1) {
      return problem(
          StatusCodes.BAD_REQUEST,
          "an item needs a sku and a quantity of at least 1, for example"
              + " {\"sku\":\"mug\",\"quantity\":2}");
    }
    return askCart(
        cartId, replyTo -> new ShoppingCart.AddItem(item.sku(), item.quantity(), replyTo));
  }

  private Route orders() {
    CompletionStage<Object> orders =
        Patterns.ask(recentOrders, RecentOrders.GetOrders.INSTANCE, askTimeout);
    return onSuccess(orders, answer -> completeOK(answer, Jackson.marshaller()));
  }

  private Route askCart(
      String cartId,
      Function<org.apache.pekko.actor.typed.ActorRef<ShoppingCart.Reply>, ShoppingCart.Command>
          request) {
    EntityRef<ShoppingCart.Command> cart = sharding.entityRefFor(ShoppingCart.TYPE_KEY, cartId);
    return onComplete(cart.ask(request::apply, askTimeout), this::answer);
  }

  private Route answer(Try<ShoppingCart.Reply> result) {
    if (result.isSuccess()) {
      return reply(result.get());
    }
    Throwable failure = result.failed().get();
    return failure instanceof TimeoutException
        ? problem(StatusCodes.SERVICE_UNAVAILABLE, "the cart did not answer in time")
        : failWith(failure);
  }

  private Route reply(ShoppingCart.Reply reply) {
    if (reply instanceof ShoppingCart.Refused refused) {
      return problem(statusOf(refused.reason()), refused.text());
    }
    return complete(
        reply instanceof ShoppingCart.OrderConfirmed ? StatusCodes.CREATED : StatusCodes.OK,
        reply,
        Jackson.marshaller());
  }

  private Route problem(StatusCode status, String text) {
    return complete(status, new Problem(text), Jackson.marshaller());
  }

  private static StatusCode statusOf(ShoppingCart.Refusal reason) {
    return switch (reason) {
      case UNKNOWN_ARTICLE -> StatusCodes.NOT_FOUND;
      case OUT_OF_STOCK, EMPTY_CART, ALREADY_ORDERED -> StatusCodes.CONFLICT;
      case PAYMENT_DECLINED -> StatusCodes.PAYMENT_REQUIRED;
      case PAYMENT_UNAVAILABLE -> StatusCodes.BAD_GATEWAY;
      case PAYMENT_TIMED_OUT -> StatusCodes.GATEWAY_TIMEOUT;
    };
  }
}
