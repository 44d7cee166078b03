// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.AnswerMemory;
import java.io.InputStream;

/** The bytes after a request's head, in the pieces in which they came. Empty once nobody waits. */
public final class Body {
  public static final Body NONE = new Body(new Pieces(AnswerMemory.unlimited()));

  private final Pieces pieces;

  /**
   * @param pieces are given back when the request is answered, or its client has gone
   */
  public Body(Pieces pieces) {
    this.pieces = pieces;
  }

  /** All of it in one piece, of memory that is not counted. */
  public byte[] bytes() {
    return pieces.bytes();
  }

  public InputStream read() {
    return pieces.read();
  }
}
