// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

/**
 * What woven code calls while a typed actor empties its stash. A stash of typed messages keeps no
 * envelopes, so its nodes carry the context in which they were stashed, and each is worked on in
 * its own.
 */
public final class StashHooks {
  private StashHooks() {}

  /** A stash is about to be emptied; returns what {@link #done} needs. */
  public static long begin() {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return -1;
    }
    long token = (long) s.unstashBase << 32 | s.depth;
    s.unstashBase = s.depth;
    s.fired[Fired.UNSTASH.index]++;
    return token;
  }

  /** The next stashed message is about to be worked on. */
  public static void next(ContextFields node) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return;
    }
    s.fired[Fired.UNSTASH_NEXT.index]++;
    if (s.unstashBase == 0) {
      return;
    }
    unwind(s, s.unstashBase);
    ContextHooks.run(node);
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
    while (s.depth > depth) {
      s.exit();
    }
  }
}
