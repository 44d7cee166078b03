// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import org.junit.jupiter.api.Test;

class EntityStartsTest {
  private static final long SECOND = 1_000_000_000;

  private final EntityStarts starts = new EntityStarts(1 << 16);

  private static ActorTelemetry made(String path) {
    return Actors.register(path, ActorKinds.of("starts", "shop.Cart", false));
  }

  private void starts(String path, long... seconds) {
    for (long second : seconds) {
      starts.seen(made(path), second * SECOND);
    }
  }

  @Test
  void entity_startedAgainSoon_isCounted() {
    starts("pekko://shop/system/sharding/Cart/7/a", 1, 11, 40);
    assertThat(starts.repeated(41 * SECOND))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.starts()).isEqualTo(3);
              assertThat(one.nanos()).isEqualTo(39 * SECOND);
              assertThat(one.actor()).isEqualTo("pekko://shop/system/sharding/Cart/7/a");
              assertThat(one.actorClass()).isEqualTo("shop.Cart");
            });
    assertThat(starts.repeated(70 * SECOND)).as("it stays, or is not wanted any more").isEmpty();
  }

  @Test
  void entity_startedAgainAfterAWhile_beginsAnew() {
    starts("pekko://shop/system/sharding/Cart/7/a", 1, 11, 41);
    assertThat(starts.repeated(42 * SECOND)).isEmpty();
    starts("pekko://shop/system/sharding/Cart/7/a", 42);
    assertThat(starts.repeated(43 * SECOND)).extracting("starts").containsExactly(2);
  }

  @Test
  void actors_outsideOfShardingAndOtherEntities_areNotCounted() {
    starts("pekko://shop/user/cart", 1, 2, 3);
    starts("pekko://shop/system/sharding/Cart/7/a", 1);
    starts("pekko://shop/system/sharding/Cart/7/b", 2);
    assertThat(starts.repeated(4 * SECOND)).isEmpty();
  }

  @Test
  void entities_whosePathsHaveTheSameHashAndLength_areTwo() {
    starts("pekko://shop/system/sharding/Cart/7/Aa", 1);
    starts("pekko://shop/system/sharding/Cart/7/BB", 2);
    assertThat("Aa").hasSameHashCodeAs("BB");
    assertThat(starts.repeated(3 * SECOND)).isEmpty();
  }

  @Test
  void entity_thatIsFollowedAnew_isTheSameStart() {
    ActorTelemetry cart = made("pekko://shop/system/sharding/Cart/7/a");
    starts.seen(cart, 1 * SECOND);
    starts.seen(cart, 2 * SECOND);
    assertThat(starts.repeated(3 * SECOND)).isEmpty();
  }

  @Test
  void entities_beyondTheBound_pushOutTheOldest() {
    EntityStarts few = new EntityStarts(2 * EntityStarts.BYTES);
    for (String name : new String[] {"a", "b", "c", "a"}) {
      few.seen(made("pekko://shop/system/sharding/Cart/7/" + name), SECOND);
    }
    assertThat(few.repeated(2 * SECOND)).isEmpty();
    assertThat(few.bytes()).isEqualTo(2 * EntityStarts.BYTES);
  }
}
