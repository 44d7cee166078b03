// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/**
 * A message that has not been processed, as somebody saw it who did not touch it.
 *
 * @param at whose mailbox, stash or buffer it is in; null if it is on its way to another node
 * @param to for whom it is kept in a buffer, or the path on the other node; empty if that is {@code
 *     at}
 * @param position how many there are up to it, from 1
 * @param message what was sent, without what Pekko has wrapped it into
 */
public record WaitingMessage(
    Place place,
    @Nullable ActorTelemetry at,
    String to,
    int position,
    Object message,
    Sending sending) {
  /**
   * How it was sent.
   *
   * @param sender an {@link ActorTelemetry} or an {@link Ask}; null if it is not known
   * @param trace the trace of whoever sent it, if it has begun
   * @param parentId the span in which it was sent; 0 for none
   * @param nanos {@link Clock#now} since when it is there; 0 if that is not known
   */
  public record Sending(@Nullable Object sender, @Nullable Trace trace, long parentId, long nanos) {
    public Sending {
      trace = trace != null && trace.hasBegun() ? trace : null;
    }
  }

  /** Where a message can wait. */
  public enum Place {
    MAILBOX,
    STASH,
    BUFFER,
    OUTBOUND
  }
}
