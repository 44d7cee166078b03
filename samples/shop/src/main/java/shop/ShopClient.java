// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.concurrent.CompletionStage;

/** The shop as its customers see it; every answer is an HTTP status code. */
interface ShopClient {
  CompletionStage<Integer> addItem(String cartId, String sku, int quantity);

  CompletionStage<Integer> showCart(String cartId);

  CompletionStage<Integer> checkout(String cartId);
}
