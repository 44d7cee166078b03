// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Overflow;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.base.RecorderConfig;

/** The recorder's configuration, told once, when the JVM starts. All else is {@link Control}'s. */
public final class StartConfig {
  private StartConfig() {}

  /** The recorder's configuration under these settings. */
  public static RecorderConfig of(Settings settings) {
    return new RecorderConfig(
        settings.tracing(),
        settings.metrics(),
        new RecorderConfig.Rings(
            settings.get(Keys.RING_CAPACITY),
            settings.get(Keys.BACKLOG_CAPACITY),
            settings.get(Keys.OVERFLOW) == Overflow.THIN_TRACES),
        settings.get(Keys.TIMED_ONE_IN),
        settings.guard(),
        new RecorderConfig.Series(
            settings.get(Keys.MAX_SERIES), (int) settings.get(Keys.SERIES_WINDOW).toSeconds()),
        settings.get(Keys.GROUPS),
        settings.get(Keys.PERSISTENCE));
  }
}
