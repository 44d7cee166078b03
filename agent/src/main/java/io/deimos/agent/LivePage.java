// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.page.PageSettings;
import io.deimos.agent.settings.LiveSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings in force, on the page. */
record LivePage(LiveSettings settings) implements PageSettings {
  @Override
  public List<LiveSettings.Line> all() {
    return settings.lines();
  }

  @Override
  public @Nullable String set(String name, @Nullable String value) {
    return settings.set(name, value);
  }
}
