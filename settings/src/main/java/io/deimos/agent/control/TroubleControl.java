// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.log.IncidentNews;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.hooks.LifecycleSpans;
import io.deimos.recorder.hooks.LogEvents;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.StarvationWatch;
import io.deimos.recorder.trouble.StuckWatch;
import java.util.function.Consumer;

/**
 * Puts in force what is told of what goes wrong: incidents, actors' lives, lines of the log, and
 * messages that take too long, and dispatchers whose tasks wait too long.
 */
public final class TroubleControl implements Consumer<Settings> {
  private final IncidentNews incidents;

  public TroubleControl(IncidentNews incidents) {
    this.incidents = incidents;
  }

  @Override
  public void accept(Settings current) {
    double records = current.get(Keys.FORENSICS_RECORDS);
    boolean areTold = current.isOn() && current.get(Keys.FORENSICS);
    incidents.perSecond(current.get(Keys.FORENSICS_LOG), records);
    Incidents.listener(areTold ? incidents : null);
    ExceptionSignal.recordsAre(areTold && records > 0);
    LifecycleSpans.turn(current.isOn() && current.tracing() && current.get(Keys.LIFECYCLE));
    LogEvents.note(
        current.isOn() && current.get(Keys.LOGS) ? current.get(Keys.LOGS_LEVEL).severity() : 0,
        current.get(Keys.LOGS_MAX_LENGTH));
    KeptLogs.from(current.isOn() ? current.get(Keys.CONTENT_LOGS).severity() : 0);
    StuckWatch.threshold(current.isOn() ? current.get(Keys.STUCK_THRESHOLD).toNanos() : 0);
    StarvationWatch.threshold(
        current.isOn() ? current.get(Keys.STARVATION_THRESHOLD).toNanos() : 0);
  }
}
