// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All settings as the page shows them: the value, where it comes from, and whether it can change.
 *
 * @param current in force
 * @param wanted what was asked for last, with what cannot be
 * @param woven when the JVM started
 * @param isOff whether nothing is recorded any more, whatever settings say
 */
record SettingLines(
    Settings current,
    Settings wanted,
    Settings woven,
    Sources sources,
    PageChanges page,
    boolean isOff) {

  List<SettingLine> asOf(long nowNanos) {
    List<Layer> changed = page.over(sources.layers());
    List<SettingLine> lines = new ArrayList<>();
    for (Key<?> key : Keys.all()) {
      PageChanges.Change giver = page.giver(key, changed);
      boolean mayChange = key.mayChange(woven.get(key));
      lines.add(
          new SettingLine(
              key,
              ValueType.show(current.get(key)),
              source(key, mayChange, giver),
              key.isForPage() && mayChange && !isOff,
              giver != null,
              giver == null || giver.preset() == null ? "" : giver.preset().name(),
              giver == null ? null : giver.leftMillis(nowNanos)));
    }
    return lines;
  }

  /** Where a value comes from, in a few words. */
  private String source(Key<?> key, boolean mayChange, PageChanges.@Nullable Change giver) {
    if (isOff && key.equals(Keys.ENABLED)) {
      return "a failure at the start";
    }
    if (!current.isGiven(key)) {
      return "default";
    }
    if (!mayChange && !wanted.get(key).equals(current.get(key))) {
      return "as when the JVM started";
    }
    if (giver != null) {
      return giver.preset() == null ? "this page" : "preset " + giver.preset().name();
    }
    return sources.placeOf(key);
  }
}
