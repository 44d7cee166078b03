// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.context.TraceSampling;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Ring;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trouble.EntityAsks;
import io.deimos.recorder.trouble.EntityTarget;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.trouble.Unanswered;
import io.deimos.recorder.trouble.WaitingEnvelopes;
import io.deimos.recorder.woven.RefFields;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Called by woven code on the way of an ask: asked, sent, answered or given up. */
public final class AskHooks {
  public static final Hook ASK = Hook.named("PromiseActorRef.ask");
  public static final Hook ASK_SELECTION = Hook.named("PromiseActorRef.ask(ActorSelection)");
  public static final Hook ASK_TYPED = Hook.named("AskPattern$PromiseRef.ask");
  public static final Hook ASK_ENTITY = Hook.named("EntityRefImpl$EntityPromiseRef.ask");

  private static final boolean TRACING = RecorderConfig.current().tracing();
  private static final LongAdder ENDED = new LongAdder();

  private AskHooks() {}

  /** How often a temporary actor was seen to stop: for the self-test. */
  public static long endings() {
    return ENDED.sum();
  }

  /**
   * The temporary actor of an ask has been made, on the asking thread.
   *
   * @param guardian Pekko's reference to the parent of all of the user's actors in that system
   */
  public static void created(RefFields promiseRef, @Nullable Object guardian) {
    ThreadState s = ThreadState.currentOrNew();
    s.captureCurrent();
    Trace askedIn = s.capturedTrace;
    Link link = askedIn == null ? null : askedIn.link;
    Trace trace = askedIn;
    long parent = s.capturedSpan;
    boolean begun = trace != null && trace.hasBegun();
    ActorTelemetry asker = s.actor();
    boolean traced = isTraced(begun, asker);
    if (trace == null || !begun) {
      trace = Trace.UNSAMPLED; // until it is known whose ask it is
      parent = 0;
    }
    long span = trace.isSampled() ? s.nextId() : parent;
    promiseRef.deimos$identity(
        new Ask(
            askedIn,
            trace,
            link,
            parent,
            span,
            Clock.now(),
            asker,
            traced,
            guardian instanceof RefFields ref && ref.deimos$identity() instanceof ActorTelemetry at
                ? at
                : null));
  }

  /** Begins the trace of an ask from outside of all others. */
  private static void begin(Ask ask, ThreadState s) {
    Lane lane = s.lane();
    long lo = lane.nextId();
    long hi = lane.traceHigh(lo);
    boolean sampled = TRACING && TraceSampling.decide(InForce.sampling(), hi, lo, ASKED);
    Trace askedIn = ask.askedIn();
    ask.begins(
        new Trace(hi, lo, sampled, askedIn == null ? null : askedIn.baseContext()),
        sampled ? lane.nextId() : 0);
    s.leaveLane();
  }

  private static boolean isTraced(boolean begun, @Nullable ActorTelemetry asker) {
    Rules rules = InForce.rules();
    return rules.tracing()
        && rules.asks()
        && (begun || (rules.starts() && (asker == null || asker.kind().policy().starts())));
  }

  private static final MessageCell ASKED =
      new MessageCell(
          Ask.class, ActorKinds.of("", "ask", true), MessageClasses.of("io.deimos.Ask"), 0);

  /**
   * The ask is about to be sent: what is sent on this thread until {@link #sent} has the ask's span
   * for its parent.
   *
   * @param timeoutNanos after what time the asker gives up
   */
  public static @Nullable Frame send(
      Hook hook,
      @Nullable Object identity,
      @Nullable Object target,
      @Nullable Object request,
      long timeoutNanos) {
    ThreadState s = ThreadState.currentOrNew();
    hook.fires();
    if (!(identity instanceof Ask ask) || request == null || target == null) {
      return null;
    }
    MessageClass asked = MessageClasses.of(request.getClass());
    if (ask.mayBegin() && !asked.isPekko()) {
      begin(ask, s);
    }
    if (!asked.isPekko()) {
      OpenAsks.enter(ask);
    }
    ask.asked(asked, EntityTarget.of(target), timeoutNanos);
    OpenAsks.leaveIfEnded(ask);
    if (ask.isSilent() || !ask.isTraced()) {
      return s.enter(ask.askedIn(), ask.parentId());
    }
    EntityAsks.asked(ask);
    return s.enter(ask.trace(), ask.spanId());
  }

  /** Ends {@link #send}. */
  public static void sent(Frame frame) {
    frame.thread().leave(frame);
  }

  /**
   * The actor to look at before {@link #ended} is called: the one who was asked, if time ran out.
   *
   * @return Pekko's reference or selection; null if the ask had its answer, or nobody wants to know
   */
  public static @Nullable Object unanswered(@Nullable Object identity, @Nullable Throwable error) {
    if (!(identity instanceof Ask ask) || !isTimeout(error) || ask.isSilent()) {
      return null;
    }
    ask.settle();
    return ask.target();
  }

  /**
   * The temporary actor stops: the ask has its answer, or will have none.
   *
   * @param error what the asker gets instead of an answer, or null
   * @param mailbox the queue of whom {@link #unanswered} returned; null if there is none
   */
  public static void ended(
      @Nullable Object identity, @Nullable Throwable error, @Nullable Object mailbox) {
    ENDED.increment();
    if (!(identity instanceof Ask ask) || !ask.end()) {
      return;
    }
    OpenAsks.leave(ask);
    EntityAsks.ended(ask);
    long duration = Clock.now() - ask.startNanos();
    MessageClass request = ask.request();
    if (request == null || ask.isSilent()) {
      return;
    }
    if (!request.isHidden() && (request.flags() & Marks.NEVER_MEASURED) == 0) {
      AskMetrics.add(ask.askedClass(), request, duration, isTimeout(error));
    }
    Incident incident = null;
    if (isTimeout(error)) {
      ask.targetState(Unanswered.state(ask, WaitingEnvelopes.of(mailbox)));
      incident = Incidents.askTimeout(ask);
    }
    Trace trace = ask.trace();
    if (!TRACING || !trace.isSampled() || !ask.isTraced()) {
      return;
    }
    ActorTelemetry asker = ask.asker();
    ThreadState s = ThreadState.currentOrNew();
    s.lane()
        .write(
            trace.hi(),
            trace.lo(),
            ask.spanId(),
            ask.parentId(),
            ask.startNanos(),
            ask.startNanos(),
            duration,
            request.id(),
            Ring.FLAG_ASK,
            asker == null || asker.isReleased() ? 0 : (long) asker.id() << 32,
            new Rare(
                error,
                null,
                null,
                ask,
                ask.link(),
                false,
                incident == null ? List.of() : List.of(incident),
                null));
    s.leaveLane();
  }

  /** Whether the asker was told that time ran out. */
  public static boolean isTimeout(@Nullable Throwable error) {
    return error != null
        && (PekkoNames.of(error.getClass().getName())
                .equals("org.apache.pekko.pattern.AskTimeoutException")
            || error instanceof java.util.concurrent.TimeoutException);
  }
}
