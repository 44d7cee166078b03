// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a span that a record cannot hold. Made only when there is something to hold;
 * published with its record.
 *
 * @param error what the actor failed with
 * @param userSpan what the user's code did to {@code Span.current()}; the bridge knows its type
 * @param senderRef a sender without a cell, as Pekko's reference
 * @param ask the ask this record is about
 * @param link what the trace that begins with this record was begun after
 * @param stashed true if the message waited in a stash, since the time at which the record says it
 *     was sent
 * @param incidents what went wrong while the span was open
 * @param operation what this record is about, if it is no message
 * @param content what the message says, if that is wanted
 * @param bufferedNanos how long the message waited in buffers of Pekko's own actors on its way
 * @param context the context of a message's trace, if that came with a W3C tracestate; the bridge
 *     knows its type
 */
public record Rare(
    @Nullable Throwable error,
    @Nullable Object userSpan,
    @Nullable Object senderRef,
    @Nullable Ask ask,
    @Nullable Link link,
    boolean stashed,
    List<Incident> incidents,
    @Nullable Operation operation,
    @Nullable Content content,
    long bufferedNanos,
    @Nullable Object context) {
  /** Without content, and of what did not wait in a buffer. */
  public Rare(
      @Nullable Throwable error,
      @Nullable Object userSpan,
      @Nullable Object senderRef,
      @Nullable Ask ask,
      @Nullable Link link,
      boolean stashed,
      List<Incident> incidents,
      @Nullable Operation operation) {
    this(error, userSpan, senderRef, ask, link, stashed, incidents, operation, null, 0, null);
  }

  /**
   * The part of this that may be kept for long, since nothing of the application's hangs on it;
   * null if that is nothing.
   */
  public @Nullable Rare alone() {
    Operation about = operation;
    return link == null && !stashed && about == null && bufferedNanos == 0
        ? null
        : new Rare(
            null,
            null,
            null,
            null,
            link,
            stashed,
            List.of(),
            about == null ? null : about.alone(),
            null,
            bufferedNanos,
            null);
  }

  /** With content alone, beside what was noted before. */
  public static Rare with(@Nullable Rare rare, Content content) {
    List<Incident> incidents = rare == null ? List.of() : rare.incidents;
    return new Rare(null, null, null, null, null, false, incidents, null, content, 0, null);
  }

  /** With neither link nor stash, incident nor operation. */
  public Rare(
      @Nullable Throwable error,
      @Nullable Object userSpan,
      @Nullable Object senderRef,
      @Nullable Ask ask) {
    this(error, userSpan, senderRef, ask, null, false, List.of(), null);
  }

  /** {@link Trace#stated} of the record's trace, whatever the record is about. */
  public @Nullable Object stated() {
    if (ask != null) {
      return ask.trace().stated();
    }
    return operation != null ? operation.trace().stated() : context;
  }

  /** The same with one more incident. */
  public static Rare with(@Nullable Rare rare, Incident incident) {
    if (rare == null) {
      return new Rare(null, null, null, null, null, false, List.of(incident), null);
    }
    return new Rare(
        rare.error,
        rare.userSpan,
        rare.senderRef,
        rare.ask,
        rare.link,
        rare.stashed,
        Incident.with(rare.incidents, incident),
        rare.operation,
        rare.content,
        rare.bufferedNanos,
        rare.context);
  }
}
