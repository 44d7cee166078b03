// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PricingTest {
  private static final ActorTestKit testKit = ActorTestKit.create(TestSystem.LOCAL);

  private final ActorRef<Pricing.PriceRequest> pricing = testKit.spawn(Pricing.create());
  private final TestProbe<Pricing.Answer> cart = testKit.createTestProbe();

  @AfterAll
  static void stop() {
    testKit.shutdownTestKit();
  }

  @Test
  void quote_fewPieces_listPrice() {
    assertThat(priceOf("mug", 9)).isEqualTo(new Pricing.Quote("mug", 1_090));
  }

  @Test
  void quote_tenPieces_tenPerCentOff() {
    assertThat(priceOf("mug", 10)).isEqualTo(new Pricing.Quote("mug", 981));
  }

  @Test
  void quote_unknownArticle_saysSo() {
    assertThat(priceOf("moon", 1)).isEqualTo(new Pricing.UnknownArticle("moon"));
  }

  private Pricing.Answer priceOf(String sku, int quantity) {
    pricing.tell(new Pricing.PriceRequest(sku, quantity, cart.ref()));
    return cart.receiveMessage();
  }
}
