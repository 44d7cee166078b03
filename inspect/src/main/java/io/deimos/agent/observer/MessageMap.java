// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.Processing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The senders and receivers of messages, as far back as was asked for and the log goes.
 *
 * @param sinceEpochNanos from when
 * @param seconds for how long
 * @param messages in this time, those of edges that are left out among them
 * @param edges those with failures first, then the busiest
 * @param edgesLeftOut beyond the limit; those with which the words do not match are not counted
 */
public record MessageMap(
    long sinceEpochNanos,
    double seconds,
    long messages,
    List<Node> nodes,
    List<Edge> edges,
    int edgesLeftOut,
    long messagesLeftOut) {
  /** The meaning of a node. */
  public enum Kind {
    CLASS,
    GROUP,
    ACTOR,
    /** Those of an opened class that are too many to be shown one by one. */
    OTHERS,
    ASK,
    TIMER,
    STREAM,
    NODE,
    OUTSIDE
  }

  /**
   * Messages, counted.
   *
   * @param waitP99Nanos null if no wait is known
   * @param nanos for which they were processed
   */
  public record Traffic(long messages, long failures, @Nullable Long waitP99Nanos, long nanos) {}

  /**
   * Somebody who sends or receives.
   *
   * @param key the same from one answer to the next
   * @param name a class, a group, a path; a word for who is no actor here
   * @param className empty for what has none
   * @param pekkos whether it is one of Pekko's own
   * @param living how many actors it stands for live now; null for who is no actor here
   * @param received without their wait
   */
  public record Node(
      String key,
      Kind kind,
      String name,
      String className,
      boolean pekkos,
      @Nullable Long living,
      Traffic received) {}

  /**
   * Messages from one to another.
   *
   * @param asks how many of them were asks
   * @param classes by message class, the most frequent first
   */
  public record Edge(
      String from,
      String to,
      Traffic traffic,
      long asks,
      List<OfClass> classes,
      int classesLeftOut,
      Samples samples) {}

  /** The messages of one class on an edge. */
  public record OfClass(String name, Traffic traffic) {}

  /**
   * Some messages of an edge.
   *
   * @param failed one at which the receiver failed; null if there is none
   * @param slowest those with the longest wait and processing, the slowest first, one of each trace
   */
  public record Samples(Processing latest, @Nullable Processing failed, List<Processing> slowest) {}
}
