// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.page.PageSettings;
import io.deimos.agent.settings.SettingLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings in force, on the page. */
public record LivePage(LiveSettings settings) implements PageSettings {
  @Override
  public List<SettingLine> all() {
    return settings.lines();
  }

  @Override
  public @Nullable String set(String name, @Nullable String value) {
    return settings.set(name, value);
  }
}
