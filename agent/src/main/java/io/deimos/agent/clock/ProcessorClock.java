// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.FastClock;
import java.lang.instrument.Instrumentation;
import java.util.function.Consumer;

/**
 * Gives the recorder the processor's counter for a clock, on a thread of its own: the application
 * does not wait for it.
 */
public final class ProcessorClock {
  private ProcessorClock() {}

  /**
   * Begins to look whether the counter can be the clock.
   *
   * @param said told in a sentence what became of it
   * @param unusable told in a part of a sentence why there is no such clock here
   */
  public static void start(
      Instrumentation instrumentation, Consumer<String> said, Consumer<String> unusable) {
    AgentThread.start("deimos-clock", () -> run(instrumentation, said, unusable));
  }

  private static void run(
      Instrumentation instrumentation, Consumer<String> said, Consumer<String> unusable) {
    try {
      FastClock.run(TimeStampCounter.make(instrumentation), said);
    } catch (TimeStampCounter.UnusableException e) {
      unusable.accept(String.valueOf(e.getMessage()));
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }
}
