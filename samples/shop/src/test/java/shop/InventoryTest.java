// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class InventoryTest {
  private static final ActorTestKit testKit = ActorTestKit.create(TestSystem.LOCAL);

  private final ActorRef<Inventory.Command> inventory =
      testKit.spawn(Inventory.pool(new ShopSettings.Inventory(4, 10)));
  private final TestProbe<Inventory.Answer> cart = testKit.createTestProbe();

  @AfterAll
  static void stop() {
    testKit.shutdownTestKit();
  }

  @Test
  void reserve_enough_setsAside() {
    assertThat(reserve("mug", 4)).isEqualTo(new Inventory.Reserved("mug", 4));
    assertThat(reserve("mug", 7)).isEqualTo(new Inventory.OutOfStock("mug", 6));
  }

  @Test
  void reserve_anotherArticle_isCountedApart() {
    reserve("mug", 10);

    assertThat(reserve("kettle", 10)).isEqualTo(new Inventory.Reserved("kettle", 10));
  }

  @Test
  void release_reserved_canBeReservedAgain() {
    reserve("mug", 10);
    inventory.tell(new Inventory.Release("mug", 3));

    assertThat(reserve("mug", 3)).isEqualTo(new Inventory.Reserved("mug", 3));
  }

  @Test
  void stockMoved_beyondFullOrEmpty_staysWithinTheShelf() {
    inventory.tell(new Inventory.StockMoved("mug", 5));
    assertThat(reserve("mug", 11)).isEqualTo(new Inventory.OutOfStock("mug", 10));

    inventory.tell(new Inventory.StockMoved("mug", -99));
    assertThat(reserve("mug", 1)).isEqualTo(new Inventory.OutOfStock("mug", 0));
  }

  private Inventory.Answer reserve(String sku, int quantity) {
    inventory.tell(new Inventory.Reserve(sku, quantity, cart.ref()));
    return cart.receiveMessage();
  }
}
