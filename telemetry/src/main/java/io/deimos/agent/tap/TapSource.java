// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tap;

import io.deimos.recorder.TestTap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of the test kit.
 *
 * @param spans told all spans
 * @param all asked for all metrics
 * @param drain has the rings emptied
 * @param check asked for findings
 */
public record TapSource(SpanTap spans, MetricTap all, Drain drain, Check check)
    implements TestTap.Source {
  @Override
  public Runnable listen(Consumer<Map<String, Object>> told) {
    return spans.listen(told);
  }

  @Override
  public boolean flush(long timeoutMillis) throws InterruptedException {
    return drain.await(timeoutMillis);
  }

  @Override
  public List<Map<String, Object>> metrics() {
    return all.points();
  }

  @Override
  public @Nullable List<Map<String, Object>> findings(List<String> ignored) {
    return check.findings(ignored);
  }

  /** Checks this process. */
  public interface Check {
    /** Returns null if nothing is checked. */
    @Nullable List<Map<String, Object>> findings(List<String> ignored);
  }

  /** Empties the rings. */
  public interface Drain {
    /** Returns false if that took longer. */
    boolean await(long timeoutMillis) throws InterruptedException;
  }
}
