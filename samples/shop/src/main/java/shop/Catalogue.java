// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The goods of the shop, with their prices. */
final class Catalogue {
  private static final Map<String, Long> PRICE_CENTS =
      Map.ofEntries(
          Map.entry("apron", 2_450L),
          Map.entry("bread-knife", 3_290L),
          Map.entry("butter-dish", 1_890L),
          Map.entry("cake-tin", 1_590L),
          Map.entry("coffee-beans", 1_290L),
          Map.entry("coffee-grinder", 6_900L),
          Map.entry("cutting-board", 2_990L),
          Map.entry("egg-timer", 790L),
          Map.entry("espresso-cup", 1_190L),
          Map.entry("honey", 890L),
          Map.entry("kettle", 4_990L),
          Map.entry("ladle", 990L),
          Map.entry("milk-jug", 1_450L),
          Map.entry("mixing-bowl", 1_990L),
          Map.entry("mug", 1_090L),
          Map.entry("olive-oil", 1_690L),
          Map.entry("pepper-mill", 3_490L),
          Map.entry("rolling-pin", 1_390L),
          Map.entry("salt", 390L),
          Map.entry("saucepan", 5_490L),
          Map.entry("sieve", 1_290L),
          Map.entry("spatula", 690L),
          Map.entry("tea-towel", 590L),
          Map.entry("whisk", 850L));

  private static final List<String> SKUS = PRICE_CENTS.keySet().stream().sorted().toList();

  private Catalogue() {}

  /** Every article, in alphabetical order. */
  static List<String> skus() {
    return SKUS;
  }

  /** The list price, or empty if the shop does not sell this. */
  static OptionalLong priceCents(String sku) {
    Long price = PRICE_CENTS.get(sku);
    return price == null ? OptionalLong.empty() : OptionalLong.of(price);
  }
}
