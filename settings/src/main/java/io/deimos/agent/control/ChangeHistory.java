// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.SettingsReading.ChangeEntry;
import io.deimos.agent.settings.SettingsReading.ChangedValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last {@value #MOST} changes of settings: who did what, and what became of it. Bounded. */
final class ChangeHistory {
  static final int MOST = 100;

  /** The bound of one entry; a control file can change them all. */
  private static final int MAX_VALUES = 50;

  private final Deque<ChangeEntry> entries = new ArrayDeque<>();

  void add(long atMillis, String by, String what, List<ChangedValue> changed) {
    entries.addFirst(
        new ChangeEntry(
            atMillis,
            Printable.shortLine(by),
            Printable.shortLine(what),
            changed.stream()
                .limit(MAX_VALUES)
                .map(
                    one ->
                        new ChangedValue(
                            one.key(),
                            Printable.shortLine(one.from()),
                            Printable.shortLine(one.to())))
                .toList(),
            Math.max(0, changed.size() - MAX_VALUES)));
    while (entries.size() > MOST) {
      entries.removeLast();
    }
  }

  /** The latest first. */
  List<ChangeEntry> all() {
    return List.copyOf(entries);
  }
}
