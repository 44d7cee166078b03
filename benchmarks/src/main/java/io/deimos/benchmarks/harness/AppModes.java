// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** How the shop is run by {@code app}: without an agent, with OpenTelemetry's, and with Deimos. */
final class AppModes {
  /** No agent. */
  static final String NONE = "none";

  /** The agent that Deimos is compared with, and made of. */
  static final String BASE = "otel";

  /** That agent, and it sends to a receiver: what {@link #OTLP} is compared with. */
  static final String BASE_OTLP = "otel-otlp";

  /** Deimos without the OpenTelemetry agent: deimos-lean.jar, which lies beside deimos.jar. */
  static final String LEAN = "lean";

  static final String PAGE = "page";

  /** The flight recorder samples all the time. */
  static final String PROFILE = "profile";

  static final String OTLP = "otlp";

  /** On the page of another process, at which nobody looks. */
  static final String JOINED = "joined";

  /** The same, and somebody looks. */
  static final String JOINED_PAGE = "joined-page";

  static final List<String> NAMES =
      List.of(
          NONE, BASE, BASE_OTLP, "off", LEAN, "default", PAGE, PROFILE, OTLP, JOINED, JOINED_PAGE);

  /** The time of a look. */
  private static final List<String> QUICK = List.of(NONE, BASE, "off", "default", PAGE, OTLP);

  private final Path otel;
  private final Path deimos;
  private final String endpoint;

  /**
   * @param endpoint where {@link #OTLP} and {@link #BASE_OTLP} send to
   */
  AppModes(Path home, Path deimos, String endpoint) {
    this.otel = home.resolve("target/agents/opentelemetry-javaagent.jar");
    this.deimos = deimos;
    this.endpoint = endpoint;
  }

  /** The modes of these names, or all if there are none. */
  List<Mode> modes(List<String> names) {
    return modes(names, false);
  }

  /**
   * The modes of these names, or those that are to be measured if there are none.
   *
   * @param quick whether these are six, and not all
   */
  List<Mode> modes(List<String> names, boolean quick) {
    List<String> usual = quick ? QUICK : NAMES;
    return (names.isEmpty() ? usual : names).stream().map(this::mode).toList();
  }

  private Mode mode(String name) {
    return switch (name) {
      case NONE -> Mode.plain(name);
      case BASE -> Mode.agent(name, otel, Modes.NO_EXPORTERS);
      case BASE_OTLP ->
          Mode.agent(name, otel, List.of("-Dotel.exporter.otlp.endpoint=" + endpoint));
      case "off" -> Modes.deimos(name, deimos, "-Ddeimos.enabled=false");
      case LEAN -> Mode.agent(name, deimos.resolveSibling("deimos-lean.jar"), List.of());
      case "default", PAGE, JOINED, JOINED_PAGE -> Mode.agent(name, deimos, List.of());
      case PROFILE -> Mode.agent(name, deimos, List.of("-Ddeimos.profile.enabled=true"));
      case OTLP -> Mode.agent(name, deimos, List.of("-Dotel.exporter.otlp.endpoint=" + endpoint));
      default ->
          throw new IllegalArgumentException(
              "--modes=" + name + ": not a mode of app; there are " + String.join(", ", NAMES));
    };
  }

  /** Whether the mode joins a page that is a process of its own. */
  static boolean joins(Mode mode) {
    return Set.of(JOINED, JOINED_PAGE).contains(mode.name());
  }

  /** Whether somebody looks at its page. */
  static boolean isLookedAt(Mode mode) {
    return Set.of(PAGE, JOINED_PAGE).contains(mode.name());
  }

  /** Whether the mode has a page of Deimos, which needs a port of its own. */
  static boolean hasPage(Mode mode) {
    return Set.of(LEAN, "default", PAGE, PROFILE, OTLP).contains(mode.name());
  }
}
