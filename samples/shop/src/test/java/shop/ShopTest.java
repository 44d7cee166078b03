// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole shop, over HTTP, with a little load of its own beside what the tests ask. */
@Timeout(50)
class ShopTest {
  private static final HttpClient client = HttpClient.newHttpClient();
  private static ActorSystem<Shop.Command> system;
  private static URI shop;

  @BeforeAll
  static void open() throws Exception {
    Config config =
        ConfigFactory.parseString(
                """
                shop.load { enabled = on, orders-per-second = 10, stock-moves-per-second = 50 }
                shop.payment { failure-share = 0, declined-share = 0, late-share = 0 }
                """)
            .withFallback(TestSystem.APPLICATION);
    system = ActorSystem.create(Shop.create(ShopSettings.of(config)), "shop", config);
    InetSocketAddress address =
        AskPattern.ask(system, Shop.GetAddress::new, Duration.ofSeconds(30), system.scheduler())
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    shop = URI.create("http://127.0.0.1:" + address.getPort());
  }

  @AfterAll
  static void close() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void health_openShop_isOk() throws Exception {
    HttpResponse<String> response = get("/health");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("ok");
  }

  @Test
  void cart_filledAndPaid_becomesAnOrder() throws Exception {
    assertThat(add("paid", "mug", 2).statusCode()).isEqualTo(200);
    assertThat(add("paid", "salt", 1).statusCode()).isEqualTo(200);
    assertThat(get("/carts/paid").body())
        .contains("{\"quantity\":2,\"sku\":\"mug\",\"unitPriceCents\":1090}")
        .contains("\"totalCents\":2570");

    HttpResponse<String> order = post("/carts/paid/checkout", "");

    assertThat(order.statusCode()).isEqualTo(201);
    assertThat(order.body()).isEqualTo("{\"orderId\":\"order-paid\",\"totalCents\":2570}");
    assertThat(get("/carts/paid").body()).contains("\"ordered\":true");
    assertThat(add("paid", "mug", 1).statusCode()).isEqualTo(409);
  }

  @Test
  void items_unknownArticle_isNotFound() throws Exception {
    HttpResponse<String> response = add("curious", "moon", 1);

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).isEqualTo("{\"problem\":\"no such article: moon\"}");
  }

  @Test
  void items_moreThanThereIs_isConflict() throws Exception {
    assertThat(add("greedy", "honey", 1_000_000).statusCode()).isEqualTo(409);
  }

  @Test
  void items_badBody_isBadRequest() throws Exception {
    assertThat(post("/carts/confused/items", "mug").statusCode()).isEqualTo(400);
    assertThat(add("confused", "mug", 0).statusCode()).isEqualTo(400);
  }

  @Test
  void checkout_emptyCart_isConflict() throws Exception {
    assertThat(post("/carts/empty/checkout", "").statusCode()).isEqualTo(409);
  }

  @Test
  void load_shoppersOverHttp_placeOrders() throws Exception {
    TestProbe.<String>create(system)
        .awaitAssert(
            Duration.ofSeconds(30),
            () -> assertThat(get("/orders").body()).contains("order-cart-"));
  }

  private static HttpResponse<String> add(String cartId, String sku, int quantity)
      throws Exception {
    String body = "{\"sku\":\"%s\",\"quantity\":%d}".formatted(sku, quantity);
    return post("/carts/" + cartId + "/items", body);
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(shop.resolve(path)).GET());
  }

  private static HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(shop.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
