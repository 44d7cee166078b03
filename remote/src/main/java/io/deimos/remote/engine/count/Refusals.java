// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import io.deimos.remote.RemoteStats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what was turned away and logs it, but not each time: a stranger must not fill the disk
 * with our log. At most {@value #LINES} lines of each reason are logged in a minute; at its end one
 * line says how many were left out. Text of strangers is cut, and has no control characters.
 *
 * <p><b>Threads.</b> Any.
 */
public final class Refusals {
  static final int LINES = 10;
  static final long WINDOW_MILLIS = 60_000;

  /** The longest text of a stranger; the longest line of ours is shorter. */
  private static final int LONGEST_CHARS = 1000;

  private final Log log;
  private final BiConsumer<Long, Runnable> later;
  private final Map<Refusal, Reason> reasons = new EnumMap<>(Refusal.class);

  /**
   * Nothing was refused so far.
   *
   * @param log takes lines
   * @param later runs a task after so many milliseconds
   */
  public Refusals(Log log, BiConsumer<Long, Runnable> later) {
    this.log = log;
    this.later = later;
    for (Refusal refusal : Refusal.values()) {
      reasons.put(refusal, new Reason(refusal));
    }
  }

  /** Takes lines. */
  public interface Log {
    void line(Refusal refusal, String line, @Nullable Throwable cause);
  }

  /** Counts one, and logs it if there is room for a line; the text should be cheap to make. */
  public void refused(Refusal refusal, String what) {
    refused(refusal, what, null);
  }

  /** The same with an exception that says more. */
  public void refused(Refusal refusal, String what, @Nullable Throwable cause) {
    of(refusal).refused(what, cause);
  }

  long count(Refusal refusal) {
    return of(refusal).count.sum();
  }

  private Reason of(Refusal refusal) {
    return Objects.requireNonNull(reasons.get(refusal));
  }

  /** The number of each reason since the start. */
  public List<RemoteStats.Refused> snapshot(String system) {
    return reasons.values().stream()
        .map(of -> new RemoteStats.Refused(system, of.refusal.reason(), of.count.sum()))
        .toList();
  }

  /** One line, and not endless: strangers say what is in it. */
  private static String plain(String text) {
    String cut = text.length() > LONGEST_CHARS ? text.substring(0, LONGEST_CHARS) + "..." : text;
    return cut.replaceAll("\\p{Cntrl}", "?");
  }

  private final class Reason {
    private final Refusal refusal;
    private final LongAdder count = new LongAdder();
    private final AtomicInteger inWindow = new AtomicInteger();

    Reason(Refusal refusal) {
      this.refusal = refusal;
    }

    void refused(String what, @Nullable Throwable cause) {
      count.increment();
      int number = inWindow.incrementAndGet();
      if (number == 1) {
        later.accept(WINDOW_MILLIS, this::endWindow);
        log.line(refusal, plain(what) + "; " + refusal.advice(), cause);
      } else if (number <= LINES && number > 0) {
        log.line(refusal, plain(what), cause);
      }
    }

    private void endWindow() {
      int leftOut = inWindow.getAndSet(0) - LINES;
      if (leftOut > 0) {
        log.line(
            refusal,
            leftOut
                + " more lines like this were left out in the last minute ("
                + refusal.reason()
                + "; all are counted in deimos.remote.peer.refused): "
                + refusal.advice(),
            null);
      }
    }
  }
}
