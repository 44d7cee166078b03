// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something an actor asks Pekko to do and that ends later, in another message: a write of events, a
 * recovery. Made and given its details by the actor's thread; ended once, by any.
 */
public final class Operation {
  /** The kind of operation; the name stands in spans and metrics. */
  public enum Kind {
    PERSIST("persist"),
    RECOVER("recover"),
    LOAD_SNAPSHOT("load-snapshot"),
    SAVE_SNAPSHOT("save-snapshot"),

    /** From being made to being ready for the first message. */
    START("start"),

    /** From a failure to a new instance or behaviour. */
    RESTART("restart"),

    /** From the call of a projection's handler to its last answer; not an actor's. */
    PROJECT("project");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  private final Kind kind;
  private final ActorTelemetry actor;
  private final Trace trace;
  private final long parentId;
  private final long spanId;
  private final long startNanos;
  private final @Nullable Link link;
  private final AtomicBoolean ended = new AtomicBoolean();
  private int left;
  private volatile long events;
  private volatile long fromSequenceNr;
  private volatile @Nullable String persistenceId;
  private volatile @Nullable Projected projected;
  private volatile List<Link> moreLinks = List.of();

  public Operation(
      Kind kind,
      ActorTelemetry actor,
      Trace trace,
      @Nullable Link link,
      long parentId,
      long spanId,
      long startNanos) {
    this.kind = kind;
    this.actor = actor;
    this.trace = trace;
    this.link = link;
    this.parentId = parentId;
    this.spanId = spanId;
    this.startNanos = startNanos;
  }

  /** The same outside its trace, on which the application's contexts hang. */
  public Operation alone() {
    Operation alone = new Operation(kind, actor, Trace.UNSAMPLED, null, 0, 0, startNanos);
    alone.events(events);
    String id = persistenceId;
    if (id != null) {
      alone.persistenceId(id);
    }
    alone.projected = projected;
    alone.moreLinks = moreLinks;
    return alone;
  }

  /** The same, if it is known now that it begins later. */
  public Operation from(long laterNanos) {
    Operation later = new Operation(kind, actor, trace, link, parentId, spanId, laterNanos);
    String id = persistenceId;
    if (id != null) {
      later.persistenceId(id);
    }
    later.projected = projected;
    return later;
  }

  public Kind kind() {
    return kind;
  }

  public ActorTelemetry actor() {
    return actor;
  }

  public Trace trace() {
    return trace;
  }

  public long parentId() {
    return parentId;
  }

  public long spanId() {
    return spanId;
  }

  public long startNanos() {
    return startNanos;
  }

  public @Nullable Link link() {
    return link;
  }

  /** The further links beside {@link #link}. */
  public List<Link> moreLinks() {
    return moreLinks;
  }

  /** One more thing that it comes after, unless it is linked to so many. */
  public void linked(@Nullable Link to, int most) {
    List<Link> before = moreLinks;
    if (to != null && before.size() < most) {
      moreLinks = Stream.concat(before.stream(), Stream.of(to)).toList();
    }
  }

  /** The subject of a projection; null for an actor's. */
  public @Nullable Projected projected() {
    return projected;
  }

  public void projected(Projected what) {
    projected = what;
  }

  /** Events written, replayed or projected; -1 if not known. */
  public long events() {
    return events;
  }

  public void events(long count) {
    events = count;
    left = (int) count;
  }

  /** One of the events is written; true if it was the last. */
  public boolean written() {
    return --left <= 0;
  }

  public @Nullable String persistenceId() {
    return persistenceId;
  }

  public void persistenceId(String id) {
    persistenceId = id;
  }

  /** The first event to be replayed; 1 unless a snapshot was loaded, 0 if not known. */
  public long fromSequenceNr() {
    return fromSequenceNr;
  }

  public void fromSequenceNr(long first) {
    fromSequenceNr = first;
  }

  public boolean end() {
    return ended.compareAndSet(false, true);
  }
}
