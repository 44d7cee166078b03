// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import java.util.Locale;

/** Why something that reached the port was turned away, and what the operator can do about it. */
public enum Refusal {
  TOO_MANY_CONNECTIONS(
      "see who connects to this port, or raise deimos.remote.strangers.max-connections"),
  NO_HANDSHAKE("see who connects to this port; Artery's own peers begin with a handshake"),
  BAD_FRAME("see who connects to this port; peers need the same Artery and like frame sizes"),
  TLS_FAILED("see that the peer has a certificate that this node trusts"),
  UNKNOWN_SYSTEM("nothing is to be done if this node or the peer was just restarted"),
  LARGE_NOT_CONFIGURED("configure large-message-destinations on both sides"),
  WRONG_ADDRESS("give the peer the address that this node has as its canonical one"),
  UNREADABLE_MESSAGE("see that both nodes have the same serializers and versions of messages"),
  FORGED_SENDER(
      "see who connects to this port; a peer needs a canonical address that no other system has");

  private final String advice;

  Refusal(String advice) {
    this.advice = advice;
  }

  /** The way out, as the end of a sentence. */
  String advice() {
    return advice;
  }

  /** The name in metrics. */
  String reason() {
    return name().toLowerCase(Locale.ROOT);
  }
}
