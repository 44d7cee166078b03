// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

/** The connection to the card network broke while a charge was being sent. */
final class CardNetworkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CardNetworkException(String message) {
    super(message);
  }
}
