// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts known so far of the message that is being processed: its later record. Belongs to one
 * {@link Frame}, and is written by its thread only.
 */
public final class OpenRecord {
  /** {@link #work}: the message passes the context on, or is in a trace that is not sampled. */
  public static final int NOTHING = 0;

  /** {@link #work}: the message is counted. */
  public static final int COUNT = 1;

  /** {@link #work}: and it is timed. */
  public static final int TIME = 2;

  /** {@link #work}: a span is recorded; {@link #hi} to {@link #start} are then its record. */
  public static final int RECORD = 3;

  /** The task of {@code Hooks#end}; {@link #NOTHING} outside of all messages. */
  public int work;

  public long hi;
  public long lo;
  public long parentId;
  public long sent;
  public long start;
  public long sender;
  public @Nullable ActorTelemetry actor;

  /** Where the message is counted: a number in the lane's table, 0 for nowhere. */
  public int cellIndex;

  public @Nullable Throwable error;
  public @Nullable Object senderRef;

  /** The predecessor of the trace that begins with this message. */
  public @Nullable Link link;

  /** When the message was stashed, or 0. */
  public long stashed;

  /** How long the message waited in buffers on its way, in nanoseconds. */
  public long buffered;

  /** True for a wrapper that a timer sent, until it is known what is in it. */
  public boolean byTimer;

  /** Whether the message has no span, and what it sends shall begin one trace. */
  public boolean gathers;

  /** {@link Trace#stated} of the message's trace. */
  public @Nullable Object stated;

  /** The failure while the message was processed, and its text. */
  public @Nullable Rare noted;

  /** Forgets what few messages have; what all have is written anew for the next. */
  void clearRare() {
    error = null;
    senderRef = null;
    link = null;
    stashed = 0;
    buffered = 0;
    byTimer = false;
    gathers = false;
    stated = null;
    noted = null;
  }

  /**
   * The rare parts beside the record; null if there are none.
   *
   * @param userSpan what the user did with the message's span, or null
   */
  public @Nullable Rare rare(@Nullable Object userSpan) {
    Rare more = noted;
    return error == null
            && senderRef == null
            && userSpan == null
            && link == null
            && stashed == 0
            && buffered == 0
            && stated == null
            && more == null
        ? null
        : new Rare(
            error,
            userSpan,
            senderRef,
            null,
            link,
            stashed != 0,
            more == null ? List.of() : more.incidents(),
            null,
            more == null ? null : more.content(),
            buffered,
            stated);
  }
}
