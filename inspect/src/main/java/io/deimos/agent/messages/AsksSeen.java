// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import java.util.List;

/** The asks that ended last, by who asks whom, and those within others. */
public record AsksSeen(List<Timed> timed, List<Nested> nested, List<Chain> chains) {
  /**
   * Asks with the same time-out.
   *
   * @param p99Nanos of those that were answered; 0 if none was
   * @param slowest of those that were answered, or one that was not
   */
  public record Timed(
      AskSite site, long timeoutNanos, int answered, int timedOut, long p99Nanos, Seen slowest) {}

  /**
   * Asks made by an actor while it works for somebody who asks it, in the same trace.
   *
   * @param unwaited how often the outer ask had its answer before the inner one
   * @param longer how often the inner ask had the longer time-out
   * @param outerTimeoutNanos in the example, as the next
   * @param seen how often; the example is one with the longer time-out, if there is any
   */
  public record Nested(
      AskSite outer,
      AskSite inner,
      int unwaited,
      int longer,
      long outerTimeoutNanos,
      long innerTimeoutNanos,
      Seen seen) {}

  /**
   * Asks that were open at once, each made for the one before it, which waited for it.
   *
   * @param sites the outermost first
   */
  public record Chain(List<AskSite> sites, Seen seen) {}

  /**
   * How often, since when, and one of them.
   *
   * @param example the span of an ask
   */
  public record Seen(int times, long sinceEpochNanos, SpanRef example) {}
}
