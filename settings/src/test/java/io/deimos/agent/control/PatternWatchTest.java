// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatternWatchTest {
  private final Settings settings =
      Settings.defaults()
          .with(Keys.MESSAGES_NEVER, List.of("shop.Cart.Add", "shop.Tick*"))
          .with(Keys.ACTOR_CLASSES_ALWAYS, List.of("shop.Pay*"));
  private final PatternWatch watch = new PatternWatch(settings);

  @Test
  void findings_patternsThatMatchedNothing_areNamedWithTheWayToWriteThem() {
    watch.message("shop.Cart$Add");
    watch.message("shop.Ticking");
    watch.actorClass("shop.Cart");
    assertThat(watch.findings()).hasSize(2);
    assertThat(watch.findings().get(0))
        .startsWith("deimos.actor-classes.always=shop.Pay* has matched no class of an actor");
    assertThat(watch.findings().get(1))
        .startsWith("deimos.messages.never=shop.Cart.Add has matched no class of a message")
        .contains("$ before the name of a nested class");
    watch.actorClass("shop.Payment");
    watch.message("shop.Cart.Add");
    assertThat(watch.findings()).isEmpty();
  }

  @Test
  void findings_pathsAndRatiosThatMatchedNothing_areNamed() {
    PatternWatch paths =
        new PatternWatch(
            Settings.defaults()
                .with(Keys.ACTORS, ConfigFactory.parseString("\"/user/cart/*\" { tracing = off }"))
                .with(Keys.SAMPLING_MESSAGES, ConfigFactory.parseString("\"shop.Tick\" = 0.1"))
                .with(Keys.GROUPS, List.of("/user/order-*")));
    paths.path("pekko://shop/user/carts/c-1");
    paths.message("shop.Ticks");
    assertThat(paths.findings())
        .satisfiesExactly(
            one ->
                assertThat(one).startsWith("deimos.actors.\"/user/cart/*\" has matched no actor"),
            one -> assertThat(one).startsWith("deimos.metrics.groups=/user/order-* has matched no"),
            one ->
                assertThat(one)
                    .startsWith("deimos.sampling.messages=shop.Tick has matched no class of a"));
    paths.path("pekko://shop/user/cart/c-1");
    paths.path("pekko://shop/user/order-7/lines");
    paths.message("shop.Tick");
    assertThat(paths.findings()).isEmpty();
    assertThat(paths.wantsPaths()).isFalse();
  }

  @Test
  void findings_nothingHasHappenedYet_areNone() {
    assertThat(watch.findings()).isEmpty();
  }

  @Test
  void isOf_otherPatterns_false() {
    assertThat(watch.isOf(settings)).isTrue();
    assertThat(watch.isOf(settings.with(Keys.MESSAGES_NEVER, List.of()))).isFalse();
  }
}
