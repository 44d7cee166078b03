// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.SettingsReading.ChangeEntry;
import io.deimos.agent.settings.SettingsReading.ChangedValue;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes of settings, each told to the log and kept for the page once. An entry is written with
 * the values that it changed, which are known only when the settings have been read again. Guarded
 * by its owner.
 */
final class AuditLog {
  private final ChangeHistory history = new ChangeHistory();
  private final Consumer<String> audit;
  private @Nullable Entry untold;

  /**
   * @param audit told of each change, one line each
   */
  AuditLog(Consumer<String> audit) {
    this.audit = audit;
  }

  /**
   * Something that somebody has done.
   *
   * @param by for the history
   * @param what for the history
   * @param cause of each setting that changes, for the log
   * @param line what the log says besides; empty for nothing
   * @param isAsked whether it is told even if it changed nothing
   */
  record Entry(String by, String what, String cause, String line, boolean isAsked) {}

  /** Something was done. If the outcome of the one before is not known yet, it is told without. */
  void add(Entry entry) {
    tell(List.of());
    untold = entry;
  }

  /** The last action has changed this. */
  void tell(List<ChangedValue> changed) {
    Entry entry = untold;
    untold = null;
    if (entry == null) {
      return;
    }
    if (!entry.line.isEmpty()) {
      audit.accept(entry.line);
    }
    for (ChangedValue one : changed) {
      audit.accept(
          "setting "
              + one.key()
              + " changed from "
              + one.from()
              + " to "
              + one.to()
              + " by "
              + entry.cause);
    }
    if (!changed.isEmpty() || entry.isAsked) {
      history.add(System.currentTimeMillis(), entry.by, entry.what, changed);
    }
  }

  /** The latest first. */
  List<ChangeEntry> all() {
    return history.all();
  }
}
