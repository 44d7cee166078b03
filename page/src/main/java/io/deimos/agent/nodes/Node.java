// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import org.jspecify.annotations.Nullable;

/**
 * One process on the page.
 *
 * @param sinceMillis when it began to serve, has joined, or was gone, by the page's clock
 * @param spansReceived how many of its spans have come
 * @param troubleLeftOut how many groups of its trouble there was no room for
 * @param keptAtMillis as of when its state is kept here, by the page's clock; 0 if it is not
 * @param clock how its clock goes; null if that is not known
 */
public record Node(
    ProcessStatus card,
    State state,
    long sinceMillis,
    long spansReceived,
    int troubleLeftOut,
    long keptAtMillis,
    @Nullable ClockOffset clock) {
  /** Its role on the page. */
  public enum State {
    /** It is the page's own process. */
    SERVES,
    /** It is the page's own process, and nothing else. */
    PAGE,
    /** It sends OTLP, and can be asked nothing. */
    SENDS,
    /** It is there. */
    JOINED,
    /** Its connection has ended. */
    GONE
  }
}
