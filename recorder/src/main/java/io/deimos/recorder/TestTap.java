// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the test kit, in the application's class loader, finds the agent in the same JVM. Only the
 * JDK's types cross. There only if {@code deimos.testkit.enabled} says so. Safe for any thread.
 */
public final class TestTap {
  private static volatile @Nullable Source source;

  private TestTap() {}

  /** The agent; null if there is none that wants to be asked. */
  public static @Nullable Source source() {
    return source;
  }

  /** Sets whom to ask. Called by the agent. */
  public static void offer(Source offered) {
    source = offered;
  }

  /** The agent's side, which tells a test. */
  public interface Source {
    /**
     * Has each span told from now on, whatever is sampled late or exported.
     *
     * @param told a span: {@code name}, {@code kind}, {@code traceId}, {@code spanId}, {@code
     *     parentSpanId} (empty for a root), {@code startEpochNanos}, {@code endEpochNanos}, {@code
     *     status}, {@code statusMessage} as they are; {@code attributes}, a map; {@code events} and
     *     {@code links}, lists of maps. Called by threads of the agent
     * @return to be run when no more is wanted
     */
    Runnable listen(Consumer<Map<String, Object>> told);

    /**
     * Waits until what was recorded before has been told.
     *
     * @return false if that took longer than {@code timeoutMillis}
     */
    boolean flush(long timeoutMillis) throws InterruptedException;

    /**
     * All metrics as they are now, each point a map: {@code name}, {@code unit}, {@code
     * attributes}, {@code value} (of a histogram its sum), and of a histogram {@code count}.
     */
    List<Map<String, Object>> metrics();

    /**
     * The findings of the check as they are now, each a map of texts: {@code rule}, {@code
     * severity}, {@code says}, {@code costs}, {@code advice}.
     *
     * @param ignored rules, or rules with places, that are left out
     * @return null if nothing is checked in this process
     */
    @Nullable List<Map<String, Object>> findings(List<String> ignored);
  }
}
