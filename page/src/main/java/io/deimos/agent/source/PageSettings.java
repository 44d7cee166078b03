// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings as the page shows and changes them. Asked by the page's threads. */
public interface PageSettings {
  /** All, as they are now. */
  SettingsReading read();

  /** Whether the page that this process has joined may change them, for who has its token. */
  default boolean changeFromThePageJoined() {
    return false;
  }

  /** The presets that hold now, the strongest last. Waits for nobody. */
  List<SettingsReading.ChangeLine> presets();

  /**
   * Changes something.
   *
   * @param by who does, in their own words
   * @return why this cannot be, or null if it is done
   */
  @Nullable String change(SettingsChange change, String by);
}
