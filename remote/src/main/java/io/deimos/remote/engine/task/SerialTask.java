// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The right to run a task that must never run twice at once, and must run again when it was woken
 * meanwhile. It says who may run; what runs, and on which executor, is the user's.
 *
 * <p><b>Use.</b> A thread that adds work calls {@link #wake} afterwards. A run takes what work
 * there is and ends with {@link #finish}, or with {@link #tryRelease}. A run that has to wait for
 * something else than work keeps the right and returns; what it waits for calls {@link #submit}.
 *
 * <p><b>Threads.</b> {@link #wake}, {@link #tryClaim} and {@link #isIdle} are for any thread, the
 * rest for the one that has the right. All that one run did is visible to the next.
 *
 * <p><b>Order.</b> A waker that finds the state at {@code AGAIN} writes nothing, so that many
 * wakers do not fight for one cache line. The fence before that look pairs with the write of {@code
 * CLAIMED} in {@link #tryRelease}: either the waker sees the write, or the next run sees the work,
 * even if the work was published by no more than an ordered store.
 */
public final class SerialTask {
  /** Nobody runs; the next wake-up submits. */
  private static final int IDLE = 0;

  /** Somebody has the right to run, and nothing has come since. */
  private static final int CLAIMED = 1;

  /** Somebody has the right to run, and must run once more. */
  private static final int AGAIN = 2;

  private final AtomicInteger state = new AtomicInteger();
  private final Runnable executor;

  /**
   * An idle task.
   *
   * @param executor has the task run soon, on whatever thread; must not throw
   */
  public SerialTask(Runnable executor) {
    this.executor = executor;
  }

  /** Has the task run, at once or once more after the present run. */
  public void wake() {
    if (tryClaim()) {
      submit();
    }
  }

  /**
   * Takes the right to run if nobody has it; otherwise has the task run once more.
   *
   * @return whether the caller has the right now, and so must run or {@link #submit} the task
   */
  public boolean tryClaim() {
    VarHandle.fullFence();
    while (true) {
      int seen = state.get();
      if (seen == AGAIN) {
        return false;
      }
      if (state.compareAndSet(seen, seen == IDLE ? CLAIMED : AGAIN)) {
        return seen == IDLE;
      }
    }
  }

  /** Passes the right on to a run on the executor. */
  public void submit() {
    executor.run();
  }

  /**
   * Gives the right back, unless the task was woken since the run began or since the last call.
   *
   * @return false if the caller still has the right and must run the task again
   */
  public boolean tryRelease() {
    if (state.compareAndSet(CLAIMED, IDLE)) {
      return true;
    }
    state.set(CLAIMED);
    return false;
  }

  /** Ends a run: gives the right back, or has the task run again if it was woken meanwhile. */
  public void finish() {
    if (!tryRelease()) {
      submit();
    }
  }

  /** Whether nobody runs or is about to; already out of date when it is returned. */
  public boolean isIdle() {
    return state.get() == IDLE;
  }

  @Override
  public String toString() {
    return switch (state.get()) {
      case IDLE -> "idle";
      case CLAIMED -> "claimed";
      default -> "again";
    };
  }
}
