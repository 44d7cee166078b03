// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ShopperTest {
  private static final ActorTestKit testKit = ActorTestKit.create(TestSystem.LOCAL);

  private final FakeShop shop = new FakeShop();

  @AfterAll
  static void stop() {
    testKit.shutdownTestKit();
  }

  @Test
  void visit_allGoesWell_addsLooksPaysAndLeaves() {
    visit();

    assertThat(shop.requests).containsExactly("add", "show", "checkout");
  }

  @Test
  void visit_paymentFailsOnce_triesOnceMore() {
    shop.checkoutStatus = 502;

    visit();

    assertThat(shop.requests).containsExactly("add", "show", "checkout", "checkout");
  }

  @Test
  void visit_shopIsGone_leaves() {
    shop.open = false;

    visit();

    assertThat(shop.requests).containsExactly("add");
  }

  private void visit() {
    ActorRef<Shopper.Command> shopper =
        testKit.spawn(Shopper.create("c1", shop, new OneItemNoWhims(), Duration.ofMillis(20)));
    TestProbe<Void> door = testKit.createTestProbe();
    door.expectTerminated(shopper);
  }

  /** The smallest number of everything, and no share of anything below one. */
  private static final class OneItemNoWhims implements RandomGenerator {
    private final Random random = new Random(42);

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public int nextInt(int bound) {
      return 0;
    }

    @Override
    public double nextDouble() {
      return 0.999;
    }
  }

  /** Notes the requests in order and answers at once. */
  private static final class FakeShop implements ShopClient {
    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile int checkoutStatus = 201;
    volatile boolean open = true;

    @Override
    public CompletionStage<Integer> addItem(String cartId, String sku, int quantity) {
      return answer("add", 200);
    }

    @Override
    public CompletionStage<Integer> showCart(String cartId) {
      return answer("show", 200);
    }

    @Override
    public CompletionStage<Integer> checkout(String cartId) {
      return answer("checkout", checkoutStatus);
    }

    private CompletionStage<Integer> answer(String request, int status) {
      requests.add(request);
      return open
          ? CompletableFuture.completedFuture(status)
          : CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
  }
}
