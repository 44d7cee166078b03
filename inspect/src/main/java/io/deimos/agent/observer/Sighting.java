// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.SpanRef;
import org.jspecify.annotations.Nullable;

/**
 * One message that was found, and what became of it.
 *
 * @param story what became of it, as a sentence
 * @param span its span, or that in which it was sent; null if there is none
 * @param content what it says, where that may be seen; null if not
 * @param troubleId the group of trouble that tells of it; null if there is none
 * @param node the process whose span tells of it; null for this one
 */
public record Sighting(
    Fate fate,
    String story,
    Parties parties,
    Times times,
    @Nullable SpanRef span,
    @Nullable String content,
    @Nullable String troubleId,
    @Nullable String node) {

  /**
   * The owner of the message. Unknown names are null.
   *
   * @param message its class
   * @param senderPath who sent it, or asked
   */
  public record Parties(
      String message,
      @Nullable String actorPath,
      @Nullable String actorClass,
      @Nullable String senderPath) {
    /** The parties by their names, which are empty where they are not known. */
    static Parties of(String message, String actorPath, String actorClass, String senderPath) {
      return new Parties(message, orNull(actorPath), orNull(actorClass), orNull(senderPath));
    }

    private static @Nullable String orNull(String text) {
      return text.isEmpty() ? null : text;
    }
  }

  /**
   * When something became of it, and how long that took. Unknown times are null.
   *
   * @param atEpochNanos of a message that waits, since when it does
   * @param place its position where it waits, from 1
   * @param waitNanos how long it waited to be processed
   * @param nanos how long it was processed, or until there was an answer
   * @param timeoutNanos when the asker gives up; only of an open ask
   */
  public record Times(
      @Nullable Long atEpochNanos,
      @Nullable Integer place,
      @Nullable Long waitNanos,
      @Nullable Long nanos,
      @Nullable Long timeoutNanos) {
    static final Times UNKNOWN = new Times(null, null, null, null, null);

    static Times at(long epochNanos) {
      return new Times(epochNanos, null, null, null, null);
    }

    Times place(int position) {
      return new Times(atEpochNanos, position, waitNanos, nanos, timeoutNanos);
    }

    Times waited(@Nullable Long time) {
      return new Times(atEpochNanos, place, time, nanos, timeoutNanos);
    }

    Times took(@Nullable Long time) {
      return new Times(atEpochNanos, place, waitNanos, time, timeoutNanos);
    }

    Times timeout(long time) {
      return new Times(atEpochNanos, place, waitNanos, nanos, time);
    }
  }
}
