// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.wire;

/** These bytes cannot be Artery's; the connection is not worth reading on. */
public final class BadFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadFrameException(String message) {
    super(message, null, false, false);
  }
}
