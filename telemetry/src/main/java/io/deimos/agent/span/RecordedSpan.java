// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.agent.control.ExceptionSignal;
import io.deimos.agent.control.MessageEvents;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trouble.PrintedRef;
import io.deimos.recorder.woven.RefFields;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of one record that reads as a finished span. It is numbers, references and at most two
 * paths; names and attributes are made anew each time they are asked for, so whoever asks more than
 * once takes {@link PlainSpan#of} of it. One that {@link #light} made may be kept: it holds nothing
 * of the application's. Immutable.
 */
public final class RecordedSpan implements SpanData {
  private final long traceHi;
  private final long traceLo;
  private final long spanId;
  private final long parentId;
  private final long sent;
  private final long start;
  private final long end;
  private final boolean ask;
  private final MessageClass message;

  /** The actor that processed the message, or was asked: an actor of ours, or a path. */
  private final @Nullable Object to;

  /** The sender, likewise. */
  private final @Nullable Object from;

  private final @Nullable Rare rare;
  private final Resource resource;
  private final SpanForm form;

  /** Copies what the view shows now. */
  public RecordedSpan(SpanView view, Resource resource) {
    this(view, resource, view.rare(), SpanForm.USUAL);
  }

  /** The same in the form in which spans leave the process. */
  public static RecordedSpan exported(SpanView view, Resource resource) {
    return new RecordedSpan(view, resource, view.rare(), SpanForm.exported());
  }

  private RecordedSpan(SpanView view, Resource resource, @Nullable Rare rare, SpanForm form) {
    this.traceHi = view.traceHi();
    this.traceLo = view.traceLo();
    this.spanId = view.spanId();
    this.parentId = view.parentId();
    this.sent = view.sent();
    this.start = view.start();
    this.end = view.end();
    this.ask = view.isAsk();
    this.message = view.message();
    this.to = to(view);
    this.from = from(view);
    this.rare = rare;
    this.resource = resource;
    this.form = form;
  }

  private static @Nullable Object to(SpanView view) {
    if (!view.isAsk()) {
      return view.actor();
    }
    Rare beside = view.rare();
    Ask ask = beside == null ? null : beside.ask();
    return ask == null ? null : known(ask.target());
  }

  private static @Nullable Object from(SpanView view) {
    ActorTelemetry sender = view.sender();
    Rare beside = view.rare();
    return sender != null || beside == null ? sender : known(beside.senderRef());
  }

  /** The actor behind Pekko's reference: an {@link ActorTelemetry}, else its path. */
  public static @Nullable Object known(@Nullable Object ref) {
    ActorTelemetry actor = actor(ref);
    return actor != null || ref == null ? actor : PrintedRef.path(ref);
  }

  /** The actor of this process that Pekko's reference is to; null if it is to no such actor. */
  public static @Nullable ActorTelemetry actor(@Nullable Object ref) {
    return ref instanceof RefFields fields
            && fields.deimos$identity() instanceof ActorTelemetry telemetry
        ? telemetry
        : null;
  }

  /** Whether {@link #light} can copy a record with this beside it. */
  public static boolean isLight(@Nullable Rare rare) {
    return rare == null
        || (rare.error() == null
            && rare.userSpan() == null
            && rare.incidents().isEmpty()
            && rare.content() == null
            && rare.stated() == null);
  }

  /**
   * Copies what the view shows now, so that it may be kept for long: without the references of the
   * application's, and without the resource. Only if it {@link #isLight}.
   */
  public static RecordedSpan light(SpanView view) {
    Rare rare = view.rare();
    return new RecordedSpan(
        view, Resource.empty(), rare == null ? null : rare.alone(), SpanForm.USUAL);
  }

  public boolean isAsk() {
    return ask;
  }

  /** Whether it has no parent. That of a record is never remote, as far as the span tells. */
  public boolean isRoot() {
    return parentId == 0;
  }

  public MessageClass message() {
    return message;
  }

  /** The actor that processed the message; null for an ask, or if it stopped long ago. */
  public @Nullable ActorTelemetry actor() {
    return !ask && to instanceof ActorTelemetry actor ? actor : null;
  }

  /**
   * The actor that processed the message, or was asked: an {@link ActorTelemetry}, a path, or null.
   */
  public @Nullable Object to() {
    return to;
  }

  /** The sender of the message, or the asker: an {@link ActorTelemetry}, a path, or null. */
  public @Nullable Object from() {
    return from;
  }

  public @Nullable Rare rare() {
    return rare;
  }

  /** Time in the mailbox; 0 for a message from a stash. */
  public long waitNanos() {
    return isStashed() ? 0 : start - sent;
  }

  /** Time in the stash from which the message was taken; 0 for any other. */
  public long stashNanos() {
    return isStashed() ? start - sent : 0;
  }

  /** Time in buffers of Pekko's own actors on the way, beside that in the mailbox; as a rule 0. */
  public long bufferNanos() {
    return rare == null ? 0 : rare.bufferedNanos();
  }

  /** The subject of the span, if it is no message. */
  public @Nullable Operation operation() {
    return rare == null ? null : rare.operation();
  }

  boolean isStashed() {
    return rare != null && rare.stashed();
  }

  @Nullable UserEdits userEdits() {
    return rare != null && rare.userSpan() instanceof UserEdits edits ? edits : null;
  }

  List<Incident> incidents() {
    return rare == null ? List.of() : rare.incidents();
  }

  private @Nullable Throwable error() {
    return rare == null ? null : rare.error();
  }

  @Override
  public String getName() {
    UserEdits edits = userEdits();
    String given = edits == null ? null : edits.name();
    if (given != null) {
      return given;
    }
    Operation operation = operation();
    return operation != null ? RecordAttributes.name(operation) : form.name(ask, message, path());
  }

  /** The template of the receiver. */
  private @Nullable String path() {
    return to instanceof ActorTelemetry actor ? actor.path() : (String) to;
  }

  @Override
  public SpanKind getKind() {
    Operation operation = operation();
    if (operation != null) {
      return SpanType.of(operation.kind()).kind();
    }
    return ask ? SpanType.ASK.kind() : form.kind();
  }

  @Override
  public SpanContext getSpanContext() {
    return context(spanId);
  }

  @Override
  public SpanContext getParentSpanContext() {
    return parentId == 0 ? SpanContext.getInvalid() : context(parentId);
  }

  private SpanContext context(long id) {
    return SpanContext.create(
        TraceId.fromLongs(traceHi, traceLo),
        SpanId.fromLong(id),
        TraceFlags.getSampled(),
        traceState());
  }

  private TraceState traceState() {
    Object context = rare == null ? null : rare.stated();
    return context == null
        ? TraceState.getDefault()
        : Span.fromContext((Context) context).getSpanContext().getTraceState();
  }

  /** That of the user, else ERROR if the actor failed or the ask has no answer. */
  @Override
  public StatusData getStatus() {
    UserEdits edits = userEdits();
    StatusData set = edits == null ? null : edits.status();
    if (set != null) {
      return set;
    }
    Throwable error = error();
    return error == null
        ? StatusData.unset()
        : StatusData.create(io.opentelemetry.api.trace.StatusCode.ERROR, RecordEvents.text(error));
  }

  @Override
  public long getStartEpochNanos() {
    boolean fromTakeOut = form.isFromTakeOut() && !ask && operation() == null;
    return Clock.epochNanos(fromTakeOut ? start : sent);
  }

  long sentEpochNanos() {
    return Clock.epochNanos(sent);
  }

  @Override
  public long getEndEpochNanos() {
    return Clock.epochNanos(end);
  }

  long takenOutEpochNanos() {
    return Clock.epochNanos(start);
  }

  @Override
  public Attributes getAttributes() {
    return RecordAttributes.of(this);
  }

  @Override
  public List<EventData> getEvents() {
    return RecordEvents.of(this, error(), true);
  }

  /** The events, with the exception's type and message but without its stack trace. */
  public List<EventData> eventsWithoutStackTrace() {
    return RecordEvents.of(this, error(), false);
  }

  @Override
  public List<LinkData> getLinks() {
    UserEdits edits = userEdits();
    List<LinkData> users = edits == null ? List.of() : edits.links();
    Link link = rare == null ? null : rare.link();
    Operation operation = operation();
    List<Link> more = operation == null ? List.of() : operation.moreLinks();
    if (link == null && more.isEmpty()) {
      return users;
    }
    List<LinkData> all = new ArrayList<>(users.size() + more.size() + 1);
    if (link != null) {
      all.add(RecordAttributes.link(link));
    }
    more.forEach(to -> all.add(RecordAttributes.link(to)));
    all.addAll(users);
    return all;
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public int getTotalRecordedEvents() {
    UserEdits edits = userEdits();
    return (ask || operation() != null || !MessageEvents.areOn(actor()) ? 0 : 2)
        + incidents().size()
        + (error() == null || !ExceptionSignal.isOnSpans() ? 0 : 1)
        + (edits == null ? 0 : edits.events().size());
  }

  @Override
  public int getTotalRecordedLinks() {
    return getLinks().size();
  }

  @Override
  public int getTotalAttributeCount() {
    return getAttributes().size();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return Scope.INFO;
  }

  @Override
  @Deprecated
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(
        Scope.INFO.getName(), Scope.VERSION);
  }

  @Override
  public Resource getResource() {
    return resource;
  }
}
