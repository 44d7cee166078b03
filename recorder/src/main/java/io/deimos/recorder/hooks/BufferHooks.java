// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trouble.EntityAsks;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where Pekko's own actors keep messages until they know where to send them:
 * shard regions, shards, singleton proxies, cluster clients. Such a message goes on in the context
 * in which it came, and says at its end how long it was kept, also on another node.
 */
public final class BufferHooks {
  private static final Hook ENTITY_MADE = Hook.named("Shard.getOrCreateEntity");

  private BufferHooks() {}

  /** A message is put into a buffer. */
  public static void kept(ContextFields node) {
    ThreadState s = ThreadState.current();
    if (s == null || !s.hasContext()) {
      return;
    }
    s.captureForMessage();
    Trace trace = s.capturedTrace;
    if (trace != null && trace.hasBegun() && trace.isSampled()) {
      trace = trace.stashedAt(Clock.now());
    }
    node.deimos$context(trace, s.capturedSpan);
    EntityAsks.kept();
  }

  /** A message is put into an empty buffer: whoever it waits for is made for its sake. */
  public static void keptFirst(ContextFields buffer) {
    ContextHooks.register(buffer);
  }

  /**
   * An entity is about to be made, perhaps long after it was asked for.
   *
   * @param buffer the messages that wait for it; without a context if there are none
   * @return to be given to {@link ContextHooks#ran}; null if the context is right already
   */
  public static @Nullable Frame making(ContextFields buffer) {
    ENTITY_MADE.fires();
    return buffer.deimos$trace() == null ? null : ContextHooks.run(buffer);
  }

  /**
   * A message is about to be sent on.
   *
   * @return to be given to {@link ContextHooks#ran}; null if the context is the same already
   */
  public static @Nullable Frame sending(ContextFields node) {
    Trace kept = node.deimos$trace();
    EntityAsks.sending(kept, node.deimos$parent());
    if (kept == null || kept.stashed == 0) {
      return ContextHooks.run(node);
    }
    ThreadState s = ThreadState.currentOrNew();
    return s.enter(
        kept.waitedFor(kept.waited + Math.max(1, Clock.now() - kept.stashed)),
        node.deimos$parent());
  }
}
