// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows of settings, as of one moment.
 *
 * @param changes what was changed on the page and holds, in the order in which it was made
 * @param history the last changes by anybody, the latest first
 */
public record SettingsReading(
    List<SettingLine> settings,
    List<PresetLine> presets,
    List<ChangeLine> changes,
    List<ChangeEntry> history) {

  /** Nothing. */
  public static SettingsReading empty() {
    return new SettingsReading(List.of(), List.of(), List.of(), List.of());
  }

  /**
   * A preset that can begin.
   *
   * @param forMillis how long it holds if nobody says; null for until somebody ends it
   * @param refused why it cannot begin now; empty if it can
   */
  public record PresetLine(
      String name,
      String title,
      String does,
      String costs,
      @Nullable Long forMillis,
      List<HeldLine> holds,
      String refused) {}

  /**
   * The value of one setting under a preset.
   *
   * @param rule {@code set}, {@code at most}, or {@code add} to a table
   * @param now the setting's value
   * @param then what it would be if the preset began now
   */
  public record HeldLine(String key, String rule, String value, String now, String then) {}

  /**
   * The changes made on the page that hold.
   *
   * @param preset its name; empty for a single setting
   * @param key the setting; empty for a preset
   * @param value empty for a preset
   * @param leftMillis until it ends by itself; null for never
   * @param by whoever made it, in their own words
   */
  public record ChangeLine(
      long number,
      String preset,
      String key,
      String value,
      long sinceMillis,
      @Nullable Long leftMillis,
      String by) {}

  /**
   * An action of somebody.
   *
   * @param changed the settings whose values it changed; it may be none
   */
  public record ChangeEntry(
      long atMillis, String by, String what, List<ChangedValue> changed, int leftOut) {}

  /** A setting whose value changed. */
  public record ChangedValue(String key, String from, String to) {}
}
