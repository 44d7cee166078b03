// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;

/** The card company's side of a payment. */
interface CardNetwork {

  /**
   * Asks for the amount to be charged.
   *
   * @throws CardNetworkException if the connection broke; a new connection is needed then
   */
  Authorisation authorise(String orderId, long amountCents);

  /**
   * The card company's decision.
   *
   * @param latency how long it takes until the decision arrives
   */
  record Authorisation(boolean approved, Duration latency) {}
}
