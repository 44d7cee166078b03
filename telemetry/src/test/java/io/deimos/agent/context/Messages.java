// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
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
    Frame state = Hooks.begin(ACTOR, envelope, "message", null, null);
    try {
      work.run();
    } finally {
      Hooks.end(state);
    }
  }
}
