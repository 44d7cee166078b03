// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.counts.Watched;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where an actor puts a message aside and takes it up again. Such a message is
 * processed twice: once when it is put aside, once when it is taken up; the second time in the
 * context of the first, and with the time in between told apart from the time in a mailbox.
 *
 * <p>A classic actor keeps envelopes, so these are marked. A typed actor's stash keeps messages
 * only, so its nodes carry the context, and what is taken up is processed within the message that
 * empties the stash.
 */
public final class StashHooks {
  public static final Hook UNSTASH = Hook.named("StashBufferImpl.unstash(Function)");
  public static final Hook UNSTASH_ALL = Hook.named("StashBufferImpl.unstash(Function1)");

  private static final Hook TYPED_MADE = Hook.named("StashBufferImpl.<init>");
  private static final Hook STASHED = Hook.named("StashSupport.stash");
  private static final Hook NEXT = Hook.named("StashBufferImpl.dropHeadForUnstash");

  private StashHooks() {}

  /** A classic actor has put the message at work here into its stash. */
  public static void stashed(@Nullable EnvelopeFields envelope) {
    ThreadState s = ThreadState.current();
    if (s == null || envelope == null) {
      return;
    }
    STASHED.fires();
    Trace trace = s.trace();
    if (s.isRecording() && trace != null) {
      long now = Clock.now();
      envelope.deimos$sent(trace.stashedAt(now), s.spanId(), now);
    } else {
      envelope.deimos$sent(envelope.deimos$trace(), envelope.deimos$parent(), 0);
    }
  }

  /** A stash of a typed actor has been made. */
  public static void made(Object stash) {
    TYPED_MADE.fires();
    Watched.TYPED_STASHES.add(stash);
  }

  /** A typed actor puts a message into its stash. */
  public static void kept(ContextFields node) {
    ThreadState s = ThreadState.current();
    if (s == null || !s.hasContext()) {
      return;
    }
    s.captureCurrent();
    Trace trace = s.capturedTrace;
    if (s.isRecording() && trace != null && trace.hasBegun() && trace.isSampled()) {
      trace = trace.stashedAt(Clock.now());
    }
    node.deimos$context(trace, s.capturedSpan);
  }

  /** A stash is about to be emptied; returns what {@link #done} needs. */
  public static long begin(Hook hook) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return -1;
    }
    long token = (long) s.unstashBase << 32 | s.depth();
    s.unstashBase = s.depth();
    hook.fires();
    return token;
  }

  /**
   * The next stashed message is about to be worked on.
   *
   * @param message what was stashed
   * @param inner what is in it, if it is a wrapper of Pekko's
   */
  public static void next(ContextFields node, @Nullable Object message, @Nullable Object inner) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return;
    }
    NEXT.fires();
    if (s.unstashBase == 0) {
      return;
    }
    unwind(s, s.unstashBase);
    Trace trace = node.deimos$trace();
    ActorTelemetry actor = s.actor();
    if (trace != null && trace.stashed != 0 && actor != null && message != null) {
      process(s, actor, trace, node.deimos$parent(), message, inner);
    } else {
      ContextHooks.run(node);
    }
  }

  /** As {@link Hooks#begin}, within the message that empties the stash. */
  private static void process(
      ThreadState s,
      ActorTelemetry actor,
      Trace stashed,
      long parent,
      Object message,
      @Nullable Object inner) {
    MessageCell cell = s.lane().cells.get(actor.kind(), message.getClass());
    if (cell.message.isPekko() && inner != null) {
      cell = s.lane().cells.get(actor.kind(), inner.getClass());
    }
    Trace trace = stashed.unstashed();
    Frame f = s.enter(trace, parent);
    if (cell.transparent) {
      return;
    }
    OpenRecord r = f.record;
    r.actor = actor;
    r.cellIndex = cell.index;
    if (cell.wrapper && cell.how != MessageCell.PASS) {
      f.wraps();
    } else {
      f.unwraps();
    }
    r.hi = trace.hi();
    r.lo = trace.lo();
    r.parentId = parent;
    f.spanId = s.lane().nextId();
    r.sender = 0;
    r.sent = stashed.stashed;
    r.start = Clock.now();
    f.stashedSince(stashed.stashed);
    r.work = OpenRecord.RECORD;
  }

  /** The stash has been emptied as far as was asked. */
  public static void done(long token) {
    ThreadState s = ThreadState.current();
    if (s != null && token != -1) {
      unwind(s, (int) token);
      s.unstashBase = (int) (token >>> 32);
    }
  }

  private static void unwind(ThreadState s, int depth) {
    while (s.depth() > depth) {
      Frame f = s.at;
      if (f.record.stashed != 0 && f.isRecording()) {
        Hooks.end(f);
      } else {
        s.leave(f);
      }
    }
  }
}
