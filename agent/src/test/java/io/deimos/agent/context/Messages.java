// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.ActorTelemetry;
import io.deimos.recorder.EnvelopeFields;
import io.deimos.recorder.Hooks;
import io.deimos.recorder.Records;
import io.deimos.recorder.ThreadState;
import io.deimos.recorder.Trace;
import org.jspecify.annotations.Nullable;

/** Runs code on this thread as if an actor did it while it processes a message. */
final class Messages {
  private static final ActorTelemetry ACTOR = Records.actor("pekko://shop/user/a", "shop.A");

  private Messages() {}

  /** An envelope as woven code sees it. */
  static final class Envelope implements EnvelopeFields {
    private @Nullable Trace trace;
    private long parent;
    private long sent;

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
    public void deimos$sent(@Nullable Trace given, long givenParent, long givenSent) {
      trace = given;
      parent = givenParent;
      sent = givenSent;
    }
  }

  /** An envelope made on this thread, now. */
  static Envelope sent() {
    Envelope envelope = new Envelope();
    Hooks.send(envelope);
    return envelope;
  }

  static Envelope of(@Nullable Trace trace, long parent) {
    Envelope envelope = new Envelope();
    envelope.deimos$sent(trace, parent, 1);
    return envelope;
  }

  static void process(Envelope envelope, Runnable work) {
    ThreadState state = Hooks.begin(ACTOR, envelope, "message", null, null);
    try {
      work.run();
    } finally {
      Hooks.end(state);
    }
  }
}
