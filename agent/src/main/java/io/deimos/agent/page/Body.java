// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

/** What comes after a request's head. */
final class Body {
  static final Body NONE = new Body(new byte[0]);

  private final byte[] bytes;

  /**
   * @param bytes belong to the body from now on
   */
  Body(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }
}
