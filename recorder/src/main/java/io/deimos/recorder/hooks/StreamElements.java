// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.woven.NumberFields;

/** Called by woven code when a stream's interpreter rests. Safe for any thread. */
public final class StreamElements {
  private static final Hook RAN = Hook.named("GraphInterpreter.execute");

  private StreamElements() {}

  /**
   * Elements were handed from stage to stage.
   *
   * @param interpreter has their number, which is then 0
   * @param system name of the actor system; empty for the self-test's interpreter, which has none
   */
  public static void pushed(NumberFields interpreter, String system) {
    RAN.fires();
    long elements = interpreter.deimos$number();
    interpreter.deimos$number(0);
    if (!system.isEmpty()) {
      Metric.STREAM_ELEMENTS.tally().add(elements, system);
    }
  }
}
