// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of incidents in lines and in log records, each within its bound: of all together for lines,
 * which people read, and of each kind for records. The next one of its kind says how many were left
 * out. Safe for any thread.
 */
public final class IncidentNews implements Incidents.Listener {
  /** Writes what happened somewhere. Called on one thread of ours. */
  public interface Writer {
    /**
     * Writes one.
     *
     * @param leftOut how many were left out before it
     */
    void write(Incident incident, long leftOut);
  }

  private final Writer lines;
  private final Writer records;
  private final Allowance lineAllowance = new Allowance();
  private final Map<EventName, Allowance> recordAllowances = new EnumMap<>(EventName.class);

  public IncidentNews(Writer lines, Writer records) {
    this.lines = lines;
    this.records = records;
    for (EventName event : EventName.values()) {
      recordAllowances.put(event, new Allowance());
    }
  }

  /**
   * Sets the bounds.
   *
   * @param most how many lines: 0 for none
   * @param mostRecords how many records of each kind: 0 for none
   */
  public void perSecond(double most, double mostRecords) {
    lineAllowance.perSecond(most);
    recordAllowances.values().forEach(each -> each.perSecond(mostRecords));
  }

  @Override
  public @Nullable Consumer<Incident> wants(EventName event) {
    boolean record = records(event).take();
    if (event.isTrouble() && lineAllowance.take()) {
      return record ? this::both : this::line;
    }
    return record ? this::record : null;
  }

  @Override
  public void missed(EventName event) {
    if (event.isTrouble()) {
      lineAllowance.leftOut();
    }
    records(event).leftOut();
  }

  private void both(Incident incident) {
    record(incident);
    line(incident);
  }

  private void line(Incident incident) {
    lines.write(incident, lineAllowance.takeLeftOut());
  }

  private void record(Incident incident) {
    records.write(incident, records(incident.event()).takeLeftOut());
  }

  @SuppressWarnings("NullAway") // there is one for each
  private Allowance records(EventName event) {
    return recordAllowances.get(event);
  }
}
