// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReading;
import io.deimos.agent.source.PageSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings in force, on the page. */
public record LivePage(LiveSettings settings) implements PageSettings {
  @Override
  public SettingsReading read() {
    return settings.read();
  }

  @Override
  public boolean changeFromThePageJoined() {
    return settings.current().get(Keys.PAGE_JOIN_CONTROL);
  }

  @Override
  public List<SettingsReading.ChangeLine> presets() {
    return settings.presets();
  }

  @Override
  public @Nullable String change(SettingsChange change, String by) {
    return settings.change(change, by);
  }
}
