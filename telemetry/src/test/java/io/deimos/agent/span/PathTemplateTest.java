// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathTemplateTest {
  @Test
  void of_plainPath_losesTheAddressOnly() {
    assertThat(PathTemplate.of("pekko://shop/user/orders")).isEqualTo("/user/orders");
    assertThat(PathTemplate.of("pekko://shop@10.0.0.1:25520/user/orders"))
        .isEqualTo("/user/orders");
    assertThat(PathTemplate.of("pekko://shop/")).isEqualTo("/");
    assertThat(PathTemplate.of("pekko://shop")).isEqualTo("/");
  }

  @Test
  void of_variableParts_foldsThem() {
    assertThat(PathTemplate.of("pekko://shop/user/orders/order-4711"))
        .isEqualTo("/user/orders/order-*");
    assertThat(PathTemplate.of("pekko://shop/user/$a/x")).isEqualTo("/user/*/x");
    assertThat(PathTemplate.of("pekko://shop/user/a1b2")).isEqualTo("/user/a*b*");
    assertThat(PathTemplate.of("pekko://shop/user/cart-123e4567-e89b-12d3-a456-426614174000"))
        .doesNotContain("1", "4567")
        .startsWith("/user/cart-*");
    assertThat(PathTemplate.of("pekko://shop/user/deadbeef01")).isEqualTo("/user/*");
  }

  @Test
  void of_words_keepsThem() {
    assertThat(PathTemplate.of("pekko://shop/user/facade/decade-effaced"))
        .isEqualTo("/user/facade/decade-effaced");
  }

  @Test
  void of_shardedEntity_keepsTheTypeOnly() {
    assertThat(PathTemplate.of("pekko://shop/system/sharding/Cart/17/alice"))
        .isEqualTo("/system/sharding/Cart/*/*");
    assertThat(PathTemplate.of("pekko://shop/system/sharding/Cart"))
        .isEqualTo("/system/sharding/Cart");
  }
}
