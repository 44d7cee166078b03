// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.Locale;

/** The fate of a message, as far as this process knows. */
public enum Fate {
  /** A thread is at it now. */
  PROCESSING("is being processed"),
  IN_MAILBOX("is in a mailbox"),
  STASHED("is stashed"),
  /** Sharding keeps it until it knows where to send it. */
  BUFFERED("is buffered by sharding"),
  /** It has not been written to the connection with another node. */
  OUTBOUND("waits to be sent to another node"),
  ASK_OPEN("was asked and has no answer yet"),
  DEAD_LETTER("became a dead letter"),
  ASK_TIMEOUT("was asked and not answered in time"),
  ASK_FAILED("was asked, and the ask failed"),
  STUCK("took too long"),
  FAILED("failed while it was processed"),
  ANSWERED("was asked and answered"),
  PROCESSED("was processed");

  private final String said;

  Fate(String said) {
    this.said = said;
  }

  /** As the interface has it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The words of a sentence about the message. */
  public String said() {
    return said;
  }

  /** Whether the span that tells of it is the message's own, or the ask's. */
  boolean isOfItsSpan() {
    return this == FAILED || this == ASK_FAILED || this == ASK_TIMEOUT;
  }
}
