// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import org.jspecify.annotations.Nullable;

/** Stand-ins for what the weaver makes of Pekko's classes: the same fields, by hand. */
final class Woven {
  private Woven() {}

  /** Runs as an actor without a span does, in a context. */
  static void in(Trace trace, long span, Runnable body) {
    ThreadState s = ThreadState.currentOrNew();
    s.enter(trace, span);
    try {
      body.run();
    } finally {
      s.exit();
    }
  }

  static final class Envelope implements EnvelopeFields {
    private @Nullable Trace trace;
    private long parent;
    private long sent;

    /** An envelope as made on this thread now. */
    static Envelope sent() {
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

  static final class Cell implements CellFields {
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

  static final class Ref implements RefFields {
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

  static final class Callback implements ContextFields {
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
