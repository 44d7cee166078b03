// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One mode for each setting that may cost something for a message. A setting is named as in the
 * documentation, without {@code deimos.}; each has a base, which is what is on beside it.
 */
final class Switches {
  private static final String METRICS = "-Ddeimos.tracing.enabled=false";

  /**
   * One setting.
   *
   * @param name of the mode
   * @param base the mode without it
   * @param flags those of the base and its own
   */
  record Row(String name, String base, List<String> flags) {
    private static Row of(String name, String base, String... flags) {
      return new Row(name, base, List.of(flags));
    }

    private static Row metrics(String name, String... flags) {
      List<String> all = new ArrayList<>(List.of(METRICS));
      all.addAll(Arrays.asList(flags));
      return new Row(name, "metrics", List.copyOf(all));
    }

    Mode mode(Path agent) {
      return Modes.deimos(name, agent, flags.toArray(new String[0]));
    }
  }

  /** The bases first. */
  static final List<Row> ROWS =
      List.of(
          Row.of("off", "none", "-Ddeimos.enabled=false"),
          Row.of("metrics", "none", METRICS),
          Row.of(
              "unsampled",
              "none",
              "-Ddeimos.metrics.enabled=false",
              "-Dotel.traces.sampler=always_off"),
          Row.of("tracing", "none", "-Ddeimos.metrics.enabled=false"),
          Row.of("full", "none"),
          Row.metrics("metrics.timed-one-in=1", "-Ddeimos.metrics.timed-one-in=1"),
          Row.metrics("metrics.groups", "-Ddeimos.metrics.groups=/user/*"),
          Row.metrics("metrics.sampling.enabled=false", "-Ddeimos.metrics.sampling.enabled=false"),
          Row.metrics("metrics.user-actors=false", "-Ddeimos.metrics.user-actors=false"),
          Row.metrics("clock=nano-time (metrics)", "-Ddeimos.clock=nano-time"),
          Row.of("clock=nano-time", "full", "-Ddeimos.clock=nano-time"),
          Row.of(
              "tracing.guard off",
              "full",
              "-Ddeimos.tracing.guard.max-age=0s",
              "-Ddeimos.tracing.guard.max-depth=0",
              "-Ddeimos.tracing.guard.max-spans=0"),
          Row.of("tracing.user-actors=false", "full", "-Ddeimos.tracing.user-actors=false"),
          Row.of("tracing.overflow=thin-traces", "full", "-Ddeimos.tracing.overflow=thin-traces"),
          Row.of(
              "tracing.start-traces=only-inside-existing",
              "full",
              "-Ddeimos.tracing.start-traces=only-inside-existing"),
          Row.of("messages.never", "full", "-Ddeimos.messages.never=*"),
          Row.of(
              "sampling.max-traces-per-second=1000000",
              "full",
              "-Ddeimos.sampling.max-traces-per-second=1000000"),
          Row.of("stuck.threshold=0s", "full", "-Ddeimos.stuck.threshold=0s"),
          Row.of(
              "page.enabled=true", "full", "-Ddeimos.page.enabled=true", "-Ddeimos.page.port=0"));

  private Switches() {}

  static List<String> names() {
    List<String> names = new ArrayList<>(List.of("none"));
    ROWS.forEach(row -> names.add(row.name()));
    return names;
  }
}
