// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Incident;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes one structured line for an incident, as logfmt. */
public final class IncidentLog implements IncidentNews.Writer {
  private final Consumer<String> log;
  private final Consumer<Incident> written;

  /**
   * @param written is told of each incident before its line is written
   */
  public IncidentLog(Consumer<String> log, Consumer<Incident> written) {
    this.log = log;
    this.written = written;
  }

  @Override
  public void write(Incident incident, long leftOut) {
    written.accept(incident);
    log.accept(line(incident, leftOut));
  }

  private static String line(Incident incident, long left) {
    StringBuilder line = new StringBuilder("incident=").append(incident.event().word());
    long epochNanos = Clock.epochNanos(incident.atNanos());
    long seconds = TimeUnit.NANOSECONDS.toSeconds(epochNanos);
    append(line, "time", Instant.ofEpochSecond(seconds, epochNanos % 1_000_000_000L).toString());
    if ((incident.traceHi() | incident.traceLo()) != 0) {
      append(line, "trace_id", hex(incident.traceHi()) + hex(incident.traceLo()));
    }
    if (incident.spanId() != 0) {
      append(line, "span_id", hex(incident.spanId()));
    }
    for (Map.Entry<Attribute, String> fact : incident.facts().entrySet()) {
      append(line, fact.getKey().key(), fact.getValue());
    }
    if (!incident.stack().isEmpty()) {
      append(line, "stack", incident.stack().replace("\n", " | "));
    }
    if (left > 0) {
      append(line, "suppressed", Long.toString(left));
    }
    return line.toString();
  }

  /** As logfmt has it: quoted if there is a space, a quote or an equals sign in it. */
  private static void append(StringBuilder to, String key, String value) {
    String text = Printable.line(value.replace("\n", " "));
    boolean quoted = text.isEmpty() || text.matches(".*[\\s\"=].*");
    to.append(' ').append(key).append('=');
    to.append(quoted ? '"' + text.replace("\"", "'") + '"' : text);
  }

  private static String hex(long half) {
    return HexFormat.of().toHexDigits(half);
  }
}
