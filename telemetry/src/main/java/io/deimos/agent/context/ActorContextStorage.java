// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.context.ThreadState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code Context.current()} from the recorder where the recorder knows, so that inside an
 * actor it is the message's context without anything having been attached.
 *
 * <p>Every context made current goes through here, so a thread without a state has none attached,
 * and one with a state has what the state says: what the storage below may still hold there was
 * left open by somebody and counts for nothing. The storage below hears of every scope all the
 * same, since others may have wrapped it.
 */
public final class ActorContextStorage implements ContextStorage {
  private final ContextStorage below;

  public ActorContextStorage(ContextStorage below) {
    this.below = below;
  }

  @Override
  public @Nullable Context current() {
    ThreadState state = ThreadState.current();
    return state == null ? below.current() : (Context) state.context();
  }

  @Override
  public Scope attach(@Nullable Context context) {
    if (context == null) {
      return Scope.noop();
    }
    ThreadState state = ThreadState.current();
    if (state == null) {
      state = ThreadState.currentOrNew();
    } else if (state.context() == context) {
      return Scope.noop();
    }
    return new ActorScope(context, below.attach(context), state.attach(context));
  }

  @Override
  public Context root() {
    return below.root();
  }

  /** Makes the storage below forget a scope that will not be closed. */
  @SuppressWarnings("MustBeClosedChecker") // that is the point
  void replace(@Nullable Context context) {
    below.attach(context == null ? root() : context);
  }

  /** Undoes one attach, unless another came between, as OpenTelemetry's own storage does. */
  private static final class ActorScope implements Scope {
    private final Context context;
    private final Scope scopeBelow;
    private final @Nullable Object before;
    private boolean closed;

    ActorScope(Context context, Scope scopeBelow, @Nullable Object before) {
      this.context = context;
      this.scopeBelow = scopeBelow;
      this.before = before;
    }

    @Override
    public void close() {
      ThreadState state = ThreadState.current();
      if (!closed && state != null && state.context() == context) {
        closed = true;
        state.detach(before);
        scopeBelow.close();
      }
    }
  }
}
