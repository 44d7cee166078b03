// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import io.deimos.agent.log.Log;
import io.deimos.agent.settings.ClockChoice;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import java.lang.instrument.Instrumentation;
import java.util.function.Consumer;

/** Chooses the clock that {@code deimos.clock} asks for. */
public final class ClockStart {
  private ClockStart() {}

  /**
   * Begins to look for the processor's counter, unless the settings want none of it.
   *
   * @param problems told if the settings insist on a counter that cannot be had
   */
  public static void asWanted(Settings settings, Consumer<String> problems) {
    Instrumentation instrumentation = InstrumentationHolder.getInstrumentation();
    if (settings.get(Keys.CLOCK) == ClockChoice.NANO_TIME || instrumentation == null) {
      return;
    }
    ProcessorClock.start(
        instrumentation,
        Log::line,
        reason -> {
          if (settings.get(Keys.CLOCK) == ClockChoice.TSC) {
            problems.accept(
                "deimos.clock=tsc: the processor's counter cannot be the clock, because "
                    + reason
                    + "; using nano-time. Remove the setting to use the counter only where it"
                    + " works");
          } else if (Boolean.getBoolean("otel.javaagent.debug")) {
            Log.line("the clock is nanoTime: for the processor's counter, " + reason);
          }
        });
  }
}
