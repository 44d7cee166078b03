// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.List;

/**
 * Things of one kind that went wrong. Texts are empty, and numbers 0, where nothing is known.
 *
 * @param node the id of the process in which it happened; empty for this one
 * @param examples the last ones, latest first
 */
public record TroubleGroup(
    String id,
    String node,
    Cause cause,
    long count,
    long firstEpochNanos,
    long lastEpochNanos,
    List<Example> examples) {
  /**
   * The cause that all of a group have in common.
   *
   * @param kind {@code failure}, {@code ask_failed}, {@code ask_timeout}, {@code dead_letter},
   *     {@code stuck} or {@code starvation}; others for what is only counted
   * @param why the exception's class, or in words
   */
  public record Cause(String kind, String actorClass, String messageClass, String why) {}

  public String kind() {
    return cause.kind;
  }

  public String actorClass() {
    return cause.actorClass;
  }

  public String messageClass() {
    return cause.messageClass;
  }

  public String why() {
    return cause.why;
  }

  /** A kind that is only counted: neither when it happened is known, nor to whom. */
  public static TroubleGroup counted(
      String kind, String actorClass, String why, long count, String story, String stack) {
    Example only = new Example(0, story, "", "", 0, 0, 0, stack);
    return new TroubleGroup(
        kind + '-' + Integer.toHexString((actorClass + '\n' + why).hashCode()),
        "",
        new Cause(kind, actorClass, "", why),
        count,
        0,
        0,
        List.of(only));
  }

  /** Restarts, which are only counted. */
  public static TroubleGroup restarts(String actorClass, long count) {
    String story =
        "Supervision has restarted " + Descriptions.name(actorClass) + " after it failed.";
    return counted("restart", actorClass, "", count, story, "");
  }

  /** The same, of which it is known when it happened. */
  public TroubleGroup at(long epochNanos) {
    Example only = examples.get(0);
    return new TroubleGroup(
        id,
        node,
        cause,
        count,
        epochNanos,
        epochNanos,
        List.of(new Example(epochNanos, only.story, "", "", 0, 0, 0, only.stack)));
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
    /** The same with another story. */
    Example saying(String other) {
      return new Example(epochNanos, other, actorPath, senderPath, traceHi, traceLo, spanId, stack);
    }

    /** Itself, and the headers of four texts. */
    private static final long OBJECT_BYTES = 230;

    /** Its bytes in memory, about. */
    long bytes() {
      return OBJECT_BYTES
          + story.length()
          + actorPath.length()
          + senderPath.length()
          + stack.length();
    }
  }
}
