// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.trace.Trace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Spans of what becomes of actors, below the span in which it began: made until it is ready, failed
 * until it is restarted. Off unless asked for, but for actors that could not be made: that has no
 * other span to be told with. Safe for any thread.
 *
 * <p>At most {@value #MOST} are open at once; what would be more has no span.
 */
public final class LifecycleSpans {
  private static final int MOST = 10_000;

  private static final Map<ActorTelemetry, Operation> OPEN = new ConcurrentHashMap<>();
  private static volatile boolean on;

  private LifecycleSpans() {}

  /** Whether there are any, but of actors of which something else is said. */
  public static void turn(boolean wanted) {
    if (on && !wanted) {
      OPEN.clear();
    }
    on = wanted;
  }

  private static boolean isOn(ActorKind kind) {
    Boolean own = kind.policy().lifecycle();
    return own == null ? on : own;
  }

  /** Something begins to happen to an actor, in the message at work on this thread. */
  static void begins(Operation.Kind kind, ActorTelemetry actor) {
    if (!isOn(actor.kind())
        || actor.kind().isHidden()
        || actor.kind().isSilent()
        || OPEN.size() >= MOST) {
      return;
    }
    ThreadState s = ThreadState.current();
    Trace trace = s == null || !s.isRecording() ? null : s.trace();
    if (s == null || trace == null) {
      return;
    }
    Operation begun = new Operation(kind, actor, trace, null, s.spanId(), s.nextId(), Clock.now());
    begun.events(-1);
    OPEN.put(actor, begun);
  }

  /** It has happened; with an error if it has not. */
  static void ends(Operation.Kind kind, ActorTelemetry actor, @Nullable Throwable error) {
    Operation open = OPEN.isEmpty() ? null : OPEN.get(actor);
    if (open != null && open.kind() == kind && OPEN.remove(actor, open)) {
      write(open, error);
    }
  }

  /**
   * An actor has failed outside of all messages: when it was made, for the trace at work on this
   * thread, or when it was made anew.
   */
  static void failed(@Nullable ThreadState s, ActorTelemetry actor, Throwable error) {
    Operation open = OPEN.isEmpty() ? null : OPEN.remove(actor);
    if (open != null) {
      write(open, error);
      return;
    }
    Trace trace = s == null || s.isWithoutContext() ? null : s.trace();
    if (s != null && trace != null && trace.isSampled() && isTraced(actor.kind())) {
      Operation start =
          new Operation(
              Operation.Kind.START, actor, trace, null, s.spanId(), s.nextId(), Clock.now());
      start.events(-1);
      write(start, error);
    }
  }

  private static boolean isTraced(ActorKind kind) {
    Rules rules = InForce.rules();
    int marks = kind.marks() | rules.actorClass(kind.className());
    return rules.tracing()
        && kind.policy().traced()
        && !kind.isHidden()
        && !kind.isSilent()
        && (marks & Marks.NEVER_TRACED) == 0;
  }

  private static void write(Operation open, @Nullable Throwable error) {
    if (RecorderConfig.current().tracing()) {
      OperationRecord.write(open, Clock.now() - open.startNanos(), 0, error);
    }
  }

  /** The actor is gone; what was to happen to it will not. */
  static void stopped(ActorTelemetry actor) {
    if (!OPEN.isEmpty()) {
      OPEN.remove(actor);
    }
  }
}
