// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.RefFields;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where a stream lets an element wait and where it takes it up again, so that
 * each stage works, and sends, in the context of the element at hand. Streams have no spans.
 *
 * <p>Between two such places nothing need be done: a stage that is pushed an element runs at once,
 * on the same thread. A custom stage with a buffer of its own runs in the puller's context.
 *
 * <p><b>Threads.</b> Those of the actors in which streams run, one at a time for each stream. Only
 * a queue's nodes are made elsewhere; the queue orders them.
 *
 * <p><b>Record.</b> None. A context is changed in the frame of the stream's actor, which ends with
 * the actor's message: nothing is left behind on the thread.
 *
 * <p><b>Order.</b> Plain, but for what queues order.
 *
 * <p><b>Full.</b> Contexts wait where elements wait, so there are as many.
 */
public final class StreamHooks {
  public static final Hook SUSPEND = Hook.named("ContextPropagationImpl.suspendContext");
  public static final Hook RESUME = Hook.named("ContextPropagationImpl.resumeContext");
  public static final Hook BUFFER_IN = Hook.named("FixedSizeBuffer$FixedSizeBuffer.enqueue");
  public static final Hook BUFFER_OUT = Hook.named("FixedSizeBuffer$FixedSizeBuffer.dequeue");
  public static final Hook CALLBACK_IN = Hook.named("ConcurrentAsyncCallbackState$Event.<init>");
  public static final Hook CALLBACK_OUT =
      Hook.named("GraphStageLogic$ConcurrentAsyncCallback.onStart");
  public static final Hook PUSHING = Hook.named("GraphInterpreter.chasePush");
  public static final Hook PUSH = Hook.named("GraphInterpreter.processPush");
  public static final Hook PULLING = Hook.named("GraphInterpreter.chasePull");
  public static final Hook PULL = Hook.named("GraphInterpreter.processPull");
  public static final Hook BOUNDARY_IN =
      Hook.named("ActorGraphInterpreter$BatchingActorInputBoundary.onNext");
  public static final Hook BOUNDARY_OUT =
      Hook.named("ActorGraphInterpreter$BatchingActorInputBoundary.dequeue");
  public static final Hook SINK_IN = Hook.named("ActorRefBackpressureSinkStage$$anon$1.onPush");
  public static final Hook SINK_OUT =
      Hook.named("ActorRefBackpressureSinkStage$$anon$1.dequeueAndSend");
  public static final Hook QUEUE_IN = Hook.named("AbstractBoundedNodeQueue$Node.<init>");
  public static final Hook QUEUE_OUT = Hook.named("AbstractBoundedNodeQueue.poll");

  private static final Hook CURRENT = Hook.named("ContextPropagationImpl.currentContext");
  private static final Hook RESUME_GIVEN =
      Hook.named("ContextPropagationImpl.resumeContext(Object)");
  private static final Hook LOGIC = Hook.named("GraphStageLogic.<init>");
  private static final Hook SOURCE = Hook.named("ActorRefBackpressureSource$$anon$1.tryPush");

  private StreamHooks() {}

  /** The element at hand is kept: what keeps it takes its context. */
  public static void keep(Hook hook, @Nullable ContextFields keeper) {
    hook.fires();
    if (keeper == null) {
      return;
    }
    ThreadState s = ThreadState.current();
    Trace trace = null;
    long span = 0;
    if (Parts.streams && s != null && s.hasContext()) {
      s.captureCurrent();
      trace = s.capturedTrace;
      span = s.capturedSpan;
    }
    if (trace != null || keeper.deimos$trace() != null) {
      keeper.deimos$context(trace, span);
    }
  }

  /**
   * The work for which {@link #keep} or {@link #made} was called goes on.
   *
   * <p>A source that is asked for an element gives it in the context in which it was made, and not
   * in that of whoever asks: that has to do with the element before.
   */
  public static void goOn(Hook hook, @Nullable ContextFields keeper) {
    hook.fires();
    if (keeper == null) {
      return; // Pekko fails on it next, and in its own words
    }
    resume(keeper.deimos$trace(), keeper.deimos$parent());
  }

  /**
   * As {@link #goOn}, where an element or a demand comes to the end of a connection. That keeps
   * nothing any more: a connection may stand idle for long.
   */
  public static void arrives(
      Hook hook, @Nullable ContextFields keeper, @Nullable ContextFields connection) {
    goOn(hook, keeper);
    if (connection != null) {
      ContextHooks.forget(connection);
    }
  }

  /**
   * A stage that starts is told what {@link #keep} was called for before it had started.
   *
   * @return what was current before, to be given to {@link #told}
   */
  public static Object tell(Hook hook, @Nullable ContextFields keeper) {
    StreamContext before = StreamContext.current();
    goOn(hook, keeper);
    return before;
  }

  /** It has been told; what else is done as it starts belongs to what was current before. */
  public static void told(Object before) {
    resume((StreamContext) before);
  }

  /**
   * A stage is made, on the thread that materialises the stream: what a source makes of its own
   * accord belongs to that.
   */
  public static void made(ContextFields logic, boolean source) {
    LOGIC.fires();
    if (source && Parts.streams) {
      ContextHooks.register(logic);
    }
  }

  /** Returns what {@link #resumeGiven} is given later. */
  public static @Nullable Object current() {
    CURRENT.fires();
    StreamContext current = StreamContext.current();
    return current.isNone() ? null : current;
  }

  /** An element goes on in the context that {@link #current} returned. */
  public static void resumeGiven(@Nullable Object context) {
    RESUME_GIVEN.fires();
    resume(context instanceof StreamContext given ? given : StreamContext.NONE);
  }

  /**
   * An element is put into a buffer.
   *
   * @param index where it is; any two elements in the buffer differ in it modulo {@code capacity}
   */
  public static void put(Hook hook, RefFields buffer, long index, int capacity) {
    hook.fires();
    StreamContext context = StreamContext.current();
    Object kept = buffer.deimos$identity();
    if (kept == null) {
      if (context.isNone()) {
        return;
      }
      kept = new StreamContext[capacity];
      buffer.deimos$identity(kept);
    }
    if (kept instanceof StreamContext[] contexts) {
      contexts[(int) (index % capacity)] = context;
    }
  }

  /** The element is taken out again. */
  public static void take(Hook hook, RefFields buffer, long index, int capacity) {
    hook.fires();
    if (!(buffer.deimos$identity() instanceof StreamContext[] contexts)) {
      resume(null, 0);
      return;
    }
    int at = (int) (index % capacity);
    StreamContext context = contexts[at];
    contexts[at] = null;
    resume(context == null ? StreamContext.NONE : context);
  }

  /** An element is put at the end of a queue. */
  @SuppressWarnings("unchecked") // nobody else sets it
  public static void append(Hook hook, RefFields queue) {
    hook.fires();
    Object kept = queue.deimos$identity();
    if (kept == null) {
      kept = new ArrayDeque<StreamContext>();
      queue.deimos$identity(kept);
    }
    ((Queue<StreamContext>) kept).add(StreamContext.current());
  }

  /** The first one is taken out. */
  @SuppressWarnings("unchecked") // as above
  public static void takeFirst(Hook hook, RefFields queue) {
    hook.fires();
    Object kept = queue.deimos$identity();
    StreamContext context = kept == null ? null : ((Queue<StreamContext>) kept).poll();
    resume(context == null ? StreamContext.NONE : context);
  }

  /**
   * A source that holds one element at most looks whether it can give it on.
   *
   * @param holds whether it has one
   */
  public static void mayGive(RefFields source, boolean holds) {
    SOURCE.fires();
    if (!holds) {
      return;
    }
    if (source.deimos$identity() instanceof StreamContext kept) {
      resume(kept);
    } else {
      source.deimos$identity(StreamContext.current());
    }
  }

  /** It has looked, and given it on or not. */
  public static void mayHaveGiven(RefFields source, boolean holds) {
    if (!holds && source.deimos$identity() != null) {
      source.deimos$identity(null);
    }
  }

  private static void resume(StreamContext context) {
    resume(context.trace(), context.spanId());
  }

  /** From here on, to the end of the message at work here, this is its context. */
  static void resume(@Nullable Trace trace, long span) {
    ThreadState s = ThreadState.current();
    if (Parts.streams
        && s != null
        && (s.at.trace != trace || s.at.spanId != span)
        && s.isBusy()
        && !s.isRecording()
        && s.attached() == null) {
      s.at.goOnIn(trace, span);
    }
  }
}
