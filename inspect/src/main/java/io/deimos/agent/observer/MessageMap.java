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
   * Somebody who sends or receives.
   *
   * @param key the same from one answer to the next
   * @param name a class, a group, a path; a word for who is no actor here
   * @param className empty for what has none
   * @param pekkos whether it is one of Pekko's own
   * @param living how many actors it stands for live now; -1 for who is no actor here
   * @param messages that it has received
   * @param nanos for which it has processed them
   */
  public record Node(
      String key,
      Kind kind,
      String name,
      String className,
      boolean pekkos,
      long living,
      long messages,
      long nanos,
      long failures) {}

  /**
   * Messages from one to another.
   *
   * @param waitP99Nanos -1 if no wait is known
   * @param asks how many of them were asks
   * @param classes by message class, the most frequent first
   * @param latest a trace of it
   * @param failed a trace in which the receiver failed; null if there is none
   * @param slowest those with the longest wait and processing, the slowest first, one of each trace
   */
  public record Edge(
      String from,
      String to,
      long messages,
      long failures,
      long waitP99Nanos,
      long nanos,
      long asks,
      List<OfClass> classes,
      int classesLeftOut,
      Processing latest,
      @Nullable Processing failed,
      List<Processing> slowest) {}

  /** The messages of one class on an edge. */
  public record OfClass(String name, long messages, long failures, long waitP99Nanos) {}
}
