// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one structured line for each incident, at most so many a second; the next line says how
 * many were left out. Safe for any thread; only {@link #tell} writes.
 */
public final class IncidentLog implements Incidents.Listener {
  private final Consumer<String> log;
  private final Consumer<Incident> written;
  private final AtomicLong suppressed = new AtomicLong();
  private volatile @Nullable RateLimit limit;

  /**
   * @param written is told of each incident before its line is written
   */
  public IncidentLog(Consumer<String> log, Consumer<Incident> written) {
    this.log = log;
    this.written = written;
  }

  /**
   * Sets the bound.
   *
   * @param most how many lines: 0 for none
   */
  public void perSecond(double most) {
    limit = most > 0 ? new RateLimit(most) : null;
  }

  @Override
  public boolean wants() {
    RateLimit most = limit;
    if (most == null) {
      return false;
    }
    boolean wanted = most.tryTake();
    if (!wanted) {
      suppressed.incrementAndGet();
    }
    return wanted;
  }

  @Override
  public void missed() {
    suppressed.incrementAndGet();
  }

  @Override
  public void tell(Incident incident) {
    written.accept(incident);
    log.accept(line(incident, suppressed.getAndSet(0)));
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
