// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import org.jspecify.annotations.Nullable;

/**
 * One record of a log. Its texts are bounded, and are what somebody may see. Immutable.
 *
 * @param severity as OpenTelemetry numbers them
 * @param logger its name
 * @param thrown class and message of what was logged along; null for nothing
 */
public record LogLine(
    long epochMillis,
    int severity,
    String logger,
    String text,
    @Nullable String thrown,
    Place place) {
  private static final int OBJECTS = 120;

  /**
   * Where it was logged.
   *
   * @param actorPath empty outside of actors
   * @param actorClass empty outside of actors
   * @param service the process that sent it; empty for this one
   */
  public record Place(
      String actorPath,
      String actorClass,
      String service,
      long traceHi,
      long traceLo,
      long spanId) {}

  /** About the bytes that it takes. */
  public int bytes() {
    return OBJECTS
        + 2 * (text.length() + logger.length() + (thrown == null ? 0 : thrown.length()))
        + 2 * place.actorPath.length();
  }

  /** The level's word, as the metric of log events has it. */
  public static String level(int severity) {
    if (severity >= 17) {
      return "error";
    }
    if (severity >= 13) {
      return "warning";
    }
    if (severity >= 9) {
      return "info";
    }
    return severity >= 5 ? "debug" : "trace";
  }

  public String level() {
    return level(severity);
  }
}
