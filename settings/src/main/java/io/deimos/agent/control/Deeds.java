// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.settings.SettingsReading.ChangeEntry;
import io.deimos.agent.settings.SettingsReading.ChangedValue;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was done to settings, told to the log and kept for the page, once each. A deed is told
 * together with what it changed, which is known only when the settings have been read again.
 * Guarded by its owner.
 */
final class Deeds {
  private final ChangeHistory history = new ChangeHistory();
  private final Consumer<String> audit;
  private @Nullable Deed untold;

  /**
   * @param audit told of each change, one line each
   */
  Deeds(Consumer<String> audit) {
    this.audit = audit;
  }

  /**
   * What somebody has done.
   *
   * @param by for the history
   * @param what for the history
   * @param cause of each setting that changes, for the log
   * @param line what the log says besides; empty for nothing
   * @param isAsked whether it is told even if it changed nothing
   */
  record Deed(String by, String what, String cause, String line, boolean isAsked) {}

  /** Something was done. If the outcome of the one before is not known yet, it is told without. */
  void add(Deed deed) {
    tell(List.of());
    untold = deed;
  }

  /** What was done last has changed this. */
  void tell(List<ChangedValue> changed) {
    Deed deed = untold;
    untold = null;
    if (deed == null) {
      return;
    }
    if (!deed.line.isEmpty()) {
      audit.accept(deed.line);
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
              + deed.cause);
    }
    if (!changed.isEmpty() || deed.isAsked) {
      history.add(System.currentTimeMillis(), deed.by, deed.what, changed);
    }
  }

  /** The latest first. */
  List<ChangeEntry> all() {
    return history.all();
  }
}
