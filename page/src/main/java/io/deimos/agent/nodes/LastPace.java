// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.nodes.LastState.Kept;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When a process makes the answers that are to outlive it, although nobody asks: seldom, one at a
 * time, and soon after something new has gone wrong. Belongs to one thread.
 *
 * <p><b>Bounds.</b> After each answer it rests {@value #REST_FOR_ONE} times as long as that took,
 * so all of them together take a hundredth of a core at most. While no message is processed and no
 * actor comes or goes, each is made once in {@value #IDLE_SECONDS} s.
 */
final class LastPace {
  private static final int REST_FOR_ONE = 100;
  private static final int IDLE_SECONDS = 60;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);

  private final List<Kept> kept;
  private final long[] madeAt;
  private final long[] messages;
  private final long[] actors;
  private long messagesNow;
  private long actorsNow;
  private boolean worried;
  private long worriedAt;
  private boolean resting;
  private long restUntil;

  LastPace(List<Kept> kept) {
    this.kept = kept;
    this.madeAt = new long[kept.size()];
    this.messages = new long[kept.size()];
    this.actors = new long[kept.size()];
    Arrays.fill(messages, -1);
  }

  /** The work of the process so far. */
  void counted(long processed, long live) {
    messagesNow = processed;
    actorsNow = live;
  }

  /** Something has gone wrong that had not before: the end may be near. */
  void worried(long now) {
    worried = true;
    worriedAt = now;
  }

  /** The answer that is due for longest; null if none is. */
  @Nullable Kept next(long now) {
    if (resting && now - restUntil < 0) {
      return null;
    }
    Kept next = null;
    long longest = -1;
    for (int i = 0; i < madeAt.length; i++) {
      long due = dueFor(i, now);
      if (due > longest) {
        longest = due;
        next = kept.get(i);
      }
    }
    return next;
  }

  /** For how long an answer is due; negative if it is not. */
  private long dueFor(int i, long now) {
    if (messages[i] < 0) {
      return Long.MAX_VALUE; // it was never made
    }
    if (worried && worriedAt - madeAt[i] > 0) {
      return now - worriedAt;
    }
    long every = kept.get(i).everyNanos();
    boolean isIdle = messages[i] == messagesNow && actors[i] == actorsNow;
    return now - madeAt[i] - (isIdle ? Math.max(every, IDLE_NANOS) : every);
  }

  /** An answer was made. */
  void made(Kept answer, long began, long ended) {
    int i = kept.indexOf(answer);
    madeAt[i] = began;
    messages[i] = messagesNow;
    actors[i] = actorsNow;
    resting = true;
    restUntil = ended + REST_FOR_ONE * (ended - began);
  }
}
