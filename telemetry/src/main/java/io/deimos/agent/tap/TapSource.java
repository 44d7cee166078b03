// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tap;

import io.deimos.recorder.TestTap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The agent's side of the test kit.
 *
 * @param spans told all spans
 * @param all asked for all metrics
 * @param drain has the rings emptied
 */
public record TapSource(SpanTap spans, MetricTap all, Drain drain) implements TestTap.Source {
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

  /** Empties the rings. */
  public interface Drain {
    /** Returns false if that took longer. */
    boolean await(long timeoutMillis) throws InterruptedException;
  }
}
