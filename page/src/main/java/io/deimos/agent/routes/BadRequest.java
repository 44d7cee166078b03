// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

/** A request that cannot be answered as it is. */
public final class BadRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param said why, in a sentence for the client
   */
  public BadRequest(String said) {
    super(said);
  }

  /** Why, in a sentence for the client. */
  public String said() {
    return String.valueOf(getMessage());
  }
}
