// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.List;

/**
 * Things of one kind that went wrong. Texts are empty, and numbers 0, where nothing is known.
 *
 * @param kind {@code failure}, {@code ask_failed}, {@code ask_timeout}, {@code dead_letter}, {@code
 *     stuck} or {@code starvation}; others for what is only counted
 * @param why the exception's class, or in words
 * @param examples the last ones, latest first
 */
public record TroubleGroup(
    String id,
    String kind,
    String actorClass,
    String messageClass,
    String why,
    long count,
    long firstEpochNanos,
    long lastEpochNanos,
    List<Example> examples) {
  /** What is only counted: neither when it happened is known, nor to whom. */
  public static TroubleGroup counted(
      String kind, String actorClass, String why, long count, String story, String stack) {
    Example only = new Example(0, story, "", "", 0, 0, 0, stack);
    return new TroubleGroup(
        kind + '-' + Integer.toHexString((actorClass + '\n' + why).hashCode()),
        kind,
        actorClass,
        "",
        why,
        count,
        0,
        0,
        List.of(only));
  }

  /**
   * One of them.
   *
   * @param story what happened, as a sentence
   */
  public record Example(
      long epochNanos,
      String story,
      String actorPath,
      String senderPath,
      long traceHi,
      long traceLo,
      long spanId,
      String stack) {
    /** Itself, and the headers of four texts. */
    private static final long OBJECT_BYTES = 230;

    /** What it takes in memory, about. */
    long bytes() {
      return OBJECT_BYTES
          + story.length()
          + actorPath.length()
          + senderPath.length()
          + stack.length();
    }
  }
}
