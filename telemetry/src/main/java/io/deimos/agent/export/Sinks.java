// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import java.util.List;

/** Several sinks as one: each is given every record, and one that fails does not stop the rest. */
public final class Sinks implements SpanSink {
  /** Not a list, whose iterator each record would pay for. */
  private final SpanSink[] sinks;

  public Sinks(List<SpanSink> sinks) {
    this.sinks = sinks.toArray(new SpanSink[0]);
  }

  @Override
  public void accept(SpanView span) {
    for (SpanSink sink : sinks) {
      try {
        sink.accept(span);
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
  }

  @Override
  public void round() {
    for (SpanSink sink : sinks) {
      try {
        sink.round();
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
  }

  @Override
  public void flush() {
    for (SpanSink sink : sinks) {
      try {
        sink.flush();
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
  }

  @Override
  public int room() {
    int least = Integer.MAX_VALUE;
    for (SpanSink sink : sinks) {
      least = Math.min(least, sink.room());
    }
    return least;
  }
}
