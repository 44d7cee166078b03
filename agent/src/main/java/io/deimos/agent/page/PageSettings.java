// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.settings.SettingLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings as the page shows and changes them. Asked by the page's threads. */
public interface PageSettings {
  /** All, as they are now. */
  List<SettingLine> all();

  /**
   * Changes one.
   *
   * @param value null for what it would be without the page
   * @return why this cannot be, or null if it is done
   */
  @Nullable String set(String name, @Nullable String value);
}
