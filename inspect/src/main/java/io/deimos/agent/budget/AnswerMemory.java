// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that the answers under way, or the bodies sent here, may take: all together, and one of
 * them. Without it, a trace of many spans and a few clients that do not read would be enough to run
 * the application out of memory. Safe for any thread.
 */
public final class AnswerMemory {
  private static final long MAX_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 8;
  private static final int SHARE_OF_ONE = 2;

  private final long mostBytes;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong greatest = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /**
   * @param mostBytes of all answers together; one of them gets half of it
   */
  public AnswerMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** An eighth of the heap, and no more than 64 MiB. */
  public static AnswerMemory ofHeap() {
    return new AnswerMemory(maxBytesOfHeap());
  }

  static long maxBytesOfHeap() {
    return Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /** For what is small whatever happens, and has to be said all the same. */
  public static AnswerMemory unlimited() {
    return new AnswerMemory(Long.MAX_VALUE);
  }

  public long mostOfOne() {
    return mostBytes / SHARE_OF_ONE;
  }

  /**
   * Takes memory for one more piece of an answer.
   *
   * @param before what this answer has already
   * @throws ExceededException if there is not as much; then nothing is taken
   */
  public void take(long before, int bytes) throws ExceededException {
    if (before > mostOfOne() - bytes) {
      refused.incrementAndGet();
      throw new ExceededException(
          "this answer is larger than " + mostOfOne() + " bytes; ask for less of it");
    }
    long now = taken.addAndGet(bytes);
    if (now > mostBytes) {
      taken.addAndGet(-bytes);
      refused.incrementAndGet();
      throw new ExceededException(
          "other answers take the "
              + mostBytes
              + " bytes that there are for answers, until their clients have read them; ask again");
    }
    if (now > greatest.get()) {
      greatest.accumulateAndGet(now, Math::max);
    }
  }

  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  public long taken() {
    return taken.get();
  }

  /** The most that was taken at once. */
  public long greatest() {
    return greatest.get();
  }

  /** How much there is. */
  public long bound() {
    return mostBytes;
  }

  /** How often somebody was refused more. */
  public long refused() {
    return refused.get();
  }

  /** An answer that would take too much; no failure, but a refusal. */
  public static final class ExceededException extends IOException {
    private static final long serialVersionUID = 1;

    ExceededException(String said) {
      super(said);
    }

    public String said() {
      return String.valueOf(getMessage());
    }
  }
}
