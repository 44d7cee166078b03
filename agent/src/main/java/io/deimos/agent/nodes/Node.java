// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

/**
 * One process on the page.
 *
 * @param sinceMillis when it began to serve, has joined, or was gone, by the page's clock
 * @param spansReceived how many of its spans have come
 */
public record Node(NodeCard card, State state, long sinceMillis, long spansReceived) {
  /** What it is to the page. */
  public enum State {
    /** It is the page's own process. */
    SERVES,
    /** It is there. */
    JOINED,
    /** Its connection has ended. */
    GONE
  }
}
