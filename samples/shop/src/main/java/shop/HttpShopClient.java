// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * Talks to the shop over HTTP, on the pooled connections of {@code
 * pekko.http.host-connection-pool}.
 */
final class HttpShopClient implements ShopClient {
  private final ActorSystem<?> system;
  private final Http http;
  private final String carts;

  HttpShopClient(ActorSystem<?> system, InetSocketAddress address) {
    this.system = system;
    http = Http.get(system);
    carts = "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + "/carts/";
  }

  @Override
  public CompletionStage<Integer> addItem(String cartId, String sku, int quantity) {
    String body = "{\"sku\":\"" + sku + "\",\"quantity\":" + quantity + "}";
    return send(
        HttpRequest.POST(carts + cartId + "/items")
            .withEntity(ContentTypes.APPLICATION_JSON, body));
  }

  @Override
  public CompletionStage<Integer> showCart(String cartId) {
    return send(HttpRequest.GET(carts + cartId));
  }

  @Override
  public CompletionStage<Integer> checkout(String cartId) {
    return send(HttpRequest.POST(carts + cartId + "/checkout"));
  }

  private CompletionStage<Integer> send(HttpRequest request) {
    return http.singleRequest(request)
        .thenApply(
            response -> {
              response.discardEntityBytes(system);
              return response.status().intValue();
            });
  }
}
