// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.Incidents.Known;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of incidents in lines, in log records and on the page. Each has its own bounds, one for
 * each kind, so that neither the kinds nor the readers crowd each other out. The next line or
 * record of a kind says how many were left out. Safe for any thread.
 */
public final class IncidentNews implements Incidents.Listener {
  /**
   * How many lines a second there may be at least of what a look from outside finds. Its watch
   * tells each stuck message once, and again when it has lasted twice as long.
   */
  private static final double MIN_SEEN_PER_SECOND = 10;

  /** Writes what happened somewhere. Called on one thread of ours. */
  public interface Writer {
    /**
     * Writes one.
     *
     * @param leftOut how many were left out before it
     */
    void write(Incident incident, long leftOut);
  }

  /** The page, which learns the rest from records. It has bounds of its own. */
  public interface Page {
    /** Whether it takes one more. Called as {@link Incidents.Listener#wants} is. */
    boolean takes(EventName event);

    /** One that it would have taken could not be told. Called as {@link #takes} is. */
    void missed(EventName event);

    /**
     * Takes one. Called on one thread of ours.
     *
     * @param again whether it was told before, and goes on
     */
    void take(Incident incident, boolean again);
  }

  private final Writer lines;
  private final Writer records;
  private final @Nullable Page page;
  private final Map<EventName, Allowance> lineAllowances = allowances();
  private final Map<EventName, Allowance> recordAllowances = allowances();

  /**
   * @param page null if there is none, or it keeps no trouble
   */
  public IncidentNews(Writer lines, Writer records, @Nullable Page page) {
    this.lines = lines;
    this.records = records;
    this.page = page;
  }

  private static Map<EventName, Allowance> allowances() {
    Map<EventName, Allowance> allowances = new EnumMap<>(EventName.class);
    for (EventName event : EventName.values()) {
      allowances.put(event, new Allowance());
    }
    return allowances;
  }

  /**
   * Sets the bounds of lines and records.
   *
   * @param most how many lines of each kind: 0 for none
   * @param mostRecords how many records of each kind: 0 for none
   */
  public void perSecond(double most, double mostRecords) {
    lineAllowances.forEach(
        (event, each) ->
            each.perSecond(
                most > 0 && event.isSeenFromOutside()
                    ? Math.max(most, MIN_SEEN_PER_SECOND)
                    : most));
    recordAllowances.values().forEach(each -> each.perSecond(mostRecords));
  }

  @Override
  public @Nullable Consumer<Incident> wants(EventName event, Known known) {
    boolean record = of(recordAllowances, event).take();
    boolean line = event.isTrouble() && of(lineAllowances, event).take();
    Page shown = known == Known.BY_RECORD || page == null || !page.takes(event) ? null : page;
    if (!record && !line && shown == null) {
      return null;
    }
    return incident -> {
      if (shown != null) {
        shown.take(incident, known == Known.BEFORE);
      }
      if (record) {
        records.write(incident, of(recordAllowances, event).takeLeftOut());
      }
      if (line) {
        lines.write(incident, of(lineAllowances, event).takeLeftOut());
      }
    };
  }

  @Override
  public void missed(EventName event, Known known) {
    if (event.isTrouble()) {
      of(lineAllowances, event).leftOut();
    }
    of(recordAllowances, event).leftOut();
    if (page != null && known != Known.BY_RECORD) {
      page.missed(event);
    }
  }

  @SuppressWarnings("NullAway") // there is one for each
  private static Allowance of(Map<EventName, Allowance> allowances, EventName event) {
    return allowances.get(event);
  }
}
