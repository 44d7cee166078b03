// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

/** A whole answer that one process passes on to another, in JSON or as plain text. */
public final class Reply {
  private final int status;
  private final boolean gzip;
  private final boolean text;
  private final byte[] body;

  /**
   * An answer in JSON.
   *
   * @param gzip whether the body is packed
   * @param body belongs to the answer from now on
   */
  public Reply(int status, boolean gzip, byte[] body) {
    this(status, gzip, false, body);
  }

  /**
   * An answer.
   *
   * @param gzip whether the body is packed
   * @param text whether it is plain text
   * @param body belongs to the answer from now on
   */
  public Reply(int status, boolean gzip, boolean text, byte[] body) {
    this.status = status;
    this.gzip = gzip;
    this.text = text;
    this.body = body;
  }

  public int status() {
    return status;
  }

  public boolean gzip() {
    return gzip;
  }

  public boolean text() {
    return text;
  }

  public byte[] body() {
    return body;
  }
}
