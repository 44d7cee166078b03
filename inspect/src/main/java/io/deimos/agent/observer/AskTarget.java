// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a message is that was asked and not answered, by the recorder's word for it. */
enum AskTarget {
  STOPPED("the actor that was asked had stopped", "the actor that was asked has stopped"),
  DEAD_LETTER(
      "it had become a dead letter: nobody was there to get it",
      "it has become a dead letter: nobody was there to get it"),
  IN_MAILBOX(
      "it was still waiting in the mailbox of the actor that was asked",
      "it waits in the mailbox of the actor that was asked"),
  PROCESSING(
      "the actor that was asked was still processing it",
      "the actor that was asked is processing it"),
  PROCESSED(
      "the actor that was asked took it and had not answered",
      "the actor that was asked took it and has not answered"),
  REMOTE(
      "it had gone to another node, and no more is known of it here",
      "it has gone to another node, and no more is known of it here"),
  NOT_CONNECTED(
      "there has been no connection to the other node: it never left",
      "there is no connection to the other node: it never left"),
  QUARANTINED(
      "the other node is quarantined: nothing more is sent to it",
      "the other node is quarantined: nothing more is sent to it"),
  UNREACHABLE("the other node is unreachable", "the other node is unreachable"),
  IN_BUFFER("it was waiting in a buffer of sharding", "it waits in a buffer of sharding"),
  DROPPED("sharding had given it up", "sharding has given it up");

  private final String atTimeout;
  private final String whileOpen;

  AskTarget(String atTimeout, String whileOpen) {
    this.atTimeout = atTimeout;
    this.whileOpen = whileOpen;
  }

  /** Null for a word that tells nothing, or none. */
  static @Nullable AskTarget of(@Nullable String word) {
    for (AskTarget target : values()) {
      if (target.name().toLowerCase(Locale.ROOT).equals(word)) {
        return target;
      }
    }
    return null;
  }

  /** The words for an ask whose time ran out. */
  String atTimeout() {
    return atTimeout;
  }

  /** The words for an ask that may still be answered. */
  String whileOpen() {
    return whileOpen;
  }
}
