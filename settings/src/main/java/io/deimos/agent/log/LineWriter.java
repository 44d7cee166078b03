// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines in their order, on a thread that lives while there are any. A caller waits until its
 * line is written, but never for more than a second, and not at all while others wait in vain: a
 * pipe that nobody reads holds no thread. Lines beyond {@value #MAX_WAITING_CHARS} waiting
 * characters are left out, which a later line says. Safe for any thread.
 */
final class LineWriter implements Consumer<String> {
  static final int MAX_WAITING_CHARS = 1 << 17;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<String> to;
  private final Queue<String> waiting = new ArrayDeque<>();
  private @Nullable Thread writer;
  private int waitingChars;
  private long said;
  private long written;
  private boolean isStuck;
  private long leftOut;
  private long leftOutTold;

  /**
   * @param to may block
   */
  LineWriter(Consumer<String> to) {
    this.to = to;
  }

  @Override
  public void accept(String line) {
    synchronized (waiting) {
      if (waitingChars > 0 && waitingChars + line.length() > MAX_WAITING_CHARS) {
        leftOut++;
        return;
      }
      waiting.add(line);
      waitingChars += line.length();
      said++;
      if (writer == null) {
        writer = started();
      }
      if (writer != null) {
        await(said);
      }
    }
  }

  /** Null if the JVM can have no more threads; the line then waits for the next one. */
  private @Nullable Thread started() {
    try {
      return AgentThread.start("deimos-log", this::write);
    } catch (Throwable t) {
      Faults.caught(t);
      return null;
    }
  }

  /** How many lines were left out. */
  long leftOut() {
    synchronized (waiting) {
      return leftOut;
    }
  }

  @SuppressWarnings("GuardedBy") // called with it
  private void await(long line) {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (written < line && !isStuck && Thread.currentThread() != writer) {
      long left = until - System.nanoTime();
      isStuck = left <= 0;
      try {
        TimeUnit.NANOSECONDS.timedWait(waiting, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void write() {
    try {
      for (String next = next(); next != null; next = next()) {
        write(next);
      }
    } catch (Throwable t) {
      Faults.caught(t);
      rest().forEach(this::write);
    }
  }

  private void write(String line) {
    try {
      to.accept(line);
    } catch (Throwable t) {
      Faults.caught(t);
    }
    synchronized (waiting) {
      written++;
      isStuck = false;
      waiting.notifyAll();
    }
  }

  /** The lines that a failed thread leaves. */
  private List<String> rest() {
    synchronized (waiting) {
      List<String> rest = List.copyOf(waiting);
      waiting.clear();
      waitingChars = 0;
      writer = null;
      return rest;
    }
  }

  private @Nullable String next() {
    synchronized (waiting) {
      String next = waiting.poll();
      if (next == null && leftOut > leftOutTold) {
        next = "deimos: " + (leftOut - leftOutTold) + " lines were left out, since none was taken";
        leftOutTold = leftOut;
        said++;
      } else if (next == null) {
        writer = null;
      } else {
        waitingChars -= next.length();
      }
      return next;
    }
  }
}
