// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Stand-ins for what the weaver makes of Pekko's classes: the same fields, by hand. */
public final class Woven {
  private Woven() {}

  /** Runs as an actor without a span does, in a context. */
  public static void in(@Nullable Trace trace, long span, Runnable body) {
    ThreadState s = ThreadState.currentOrNew();
    Frame in = s.enter(trace, span);
    try {
      body.run();
    } finally {
      s.leave(in);
    }
  }

  /** Runs on a thread of its own, and hands over the records that there are then. */
  public static void onNewThread(Runnable body, SpanSink records) {
    CompletableFuture<Integer> drained = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                body.run();
                drained.complete(
                    ThreadState.currentOrNew().lane().drain(new SpanView(), records, 100));
              } catch (Throwable t) {
                drained.completeExceptionally(t);
              }
            })
        .start();
    int unused = drained.join();
  }

  public static final class Envelope implements EnvelopeFields {
    private @Nullable Trace trace;
    private long parent;
    private long sent;

    /** An envelope as made on this thread now. */
    public static Envelope sent() {
      Envelope envelope = new Envelope();
      Hooks.send(envelope);
      return envelope;
    }

    @Override
    public @Nullable Trace deimos$trace() {
      return trace;
    }

    @Override
    public long deimos$parent() {
      return parent;
    }

    @Override
    public long deimos$sent() {
      return sent;
    }

    @Override
    public void deimos$sent(@Nullable Trace newTrace, long newParent, long newSent) {
      trace = newTrace;
      parent = newParent;
      sent = newSent;
    }
  }

  public static final class Cell implements CellFields {
    private @Nullable ActorTelemetry telemetry;

    @Override
    public @Nullable ActorTelemetry deimos$telemetry() {
      return telemetry;
    }

    @Override
    public void deimos$telemetry(@Nullable ActorTelemetry newTelemetry) {
      telemetry = newTelemetry;
    }
  }

  public static final class Ref implements RefFields {
    private @Nullable Object identity;

    @Override
    public @Nullable Object deimos$identity() {
      return identity;
    }

    @Override
    public void deimos$identity(@Nullable Object newIdentity) {
      identity = newIdentity;
    }
  }

  public static final class Callback implements ContextFields {
    private @Nullable Trace trace;
    private long parent;

    @Override
    public @Nullable Trace deimos$trace() {
      return trace;
    }

    @Override
    public long deimos$parent() {
      return parent;
    }

    @Override
    public void deimos$context(@Nullable Trace newTrace, long newParent) {
      trace = newTrace;
      parent = newParent;
    }
  }
}
