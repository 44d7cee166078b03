// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

/** The news of the shop for everybody, over the system's event stream. */
sealed interface ShopEvent extends CborSerializable {

  record OrderPlaced(String orderId, int pieces, long totalCents) implements ShopEvent {}

  /** A cart expired before anybody paid for it. */
  record CartAbandoned(String cartId, int pieces) implements ShopEvent {}
}
