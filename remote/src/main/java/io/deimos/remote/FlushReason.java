// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote;

/** Why a batch went to the socket when it did, and with as many messages as it had. */
public enum FlushReason {
  /** Nothing was waiting or under way: the thread that had the message wrote it itself. */
  IDLE("idle"),
  /** The batch had all that was waiting. */
  DRAINED("drained"),
  /** It had {@code max-pending-writes} messages. */
  MESSAGES("max_messages"),
  /** It had {@code max-pending-bytes} bytes. */
  BYTES("max_bytes"),
  /** {@code flush-interval} was over before it had either. */
  INTERVAL("interval"),
  /** A buffer was full, and went ahead while more was being serialised. */
  BUFFER("buffer"),
  /** The next message has a serialiser that must run on another thread. */
  SERIALIZER("serializer");

  private final String word;

  FlushReason(String word) {
    this.word = word;
  }

  /** Its place in {@link Batches#reasons}. */
  @SuppressWarnings("EnumOrdinal") // of this process alone
  public int index() {
    return ordinal();
  }

  /** As metrics and the page call it. */
  public String word() {
    return word;
  }
}
