// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static java.util.Map.entry;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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

    /** Everything on, and this setting. */
    private static Row full(String setting) {
      return new Row(setting, "full", List.of("-Ddeimos." + setting));
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
          Row.metrics("metrics.gauges.enabled=false", "-Ddeimos.metrics.gauges.enabled=false"),
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
          Row.full("tracing.system-actors=true"),
          Row.full("tracing.lifecycle=true"),
          Row.full("tracing.message-events=false"),
          Row.full("tracing.logs.enabled=true"),
          Row.full("tracing.tail.enabled=true"),
          Row.full("tracing.remote.enabled=false"),
          Row.full("tracing.streams.enabled=false"),
          Row.full("tracing.completion-stages.enabled=false"),
          Row.full("persistence.enabled=false"),
          Row.full("forensics.enabled=false"),
          Row.full("testkit.enabled=true"),
          Row.of("content.messages", "full", "-Ddeimos.content.messages=*"),
          Row.of(
              "content.late=true",
              "full",
              "-Ddeimos.content.messages=*",
              "-Ddeimos.content.late=true"),
          Row.of("messages.only", "full", "-Ddeimos.messages.only=*"),
          Row.of("messages.always", "full", "-Ddeimos.messages.always=*"),
          Row.of("actor-classes.never", "full", "-Ddeimos.actor-classes.never=*"),
          Row.of("actor-classes.always", "full", "-Ddeimos.actor-classes.always=*"),
          Row.of("actors", "full", "-Ddeimos.actors=\"/user/*\" { metrics = off }"),
          Row.of("sampling.messages", "full", "-Ddeimos.sampling.messages=\"*\" = 0.5"),
          Row.metrics("metrics.system-actors=true", "-Ddeimos.metrics.system-actors=true"),
          Row.metrics("metrics.max-series=100", "-Ddeimos.metrics.max-series=100"),
          Row.metrics("metrics.remote.enabled=false", "-Ddeimos.metrics.remote.enabled=false"),
          Row.metrics("control.weave-all=true", "-Ddeimos.control.weave-all=true"),
          Row.of(
              "page.enabled=true", "full", "-Ddeimos.page.enabled=true", "-Ddeimos.page.port=0"));

  /** Settings without a row, and why; {@code check} stands for all below it. */
  static final Map<String, String> LEFT_OUT =
      Map.ofEntries(
          entry("tracing.asks", "the workload asks nothing"),
          entry("tracing.logs.level", "nothing is logged"),
          entry("tracing.logs.max-length", "nothing is logged"),
          entry("tracing.ring-capacity", "sizes what there is"),
          entry("tracing.backlog-capacity", "sizes what there is"),
          entry("tracing.export", "no mode exports; see export"),
          entry("tracing.span-start", "no mode exports"),
          entry("tracing.span-kind", "no mode exports"),
          entry("tracing.span-name", "no mode exports"),
          entry("tracing.tail.wait", "a bound of what has a row"),
          entry("tracing.tail.processing", "a bound of what has a row"),
          entry("tracing.tail.delay", "a bound of what has a row"),
          entry("tracing.tail.max-spans", "a bound of what has a row"),
          entry("tracing.tail.keep", "a bound of what has a row"),
          entry("filter", "costs what the user's own code does"),
          entry("content.max-length", "a bound of what has a row"),
          entry("content.eager", "as content.messages"),
          entry("content.redactor", "costs what the user's own code does"),
          entry("content.logs", "nothing is logged"),
          entry("content.state", "costs who looks into an actor"),
          entry("check", "thresholds, looked at when somebody asks"),
          entry("forensics.log-per-second", "there is nothing to tell"),
          entry("forensics.records-per-second", "there is nothing to tell"),
          entry("starvation.threshold", "a bound of what the gauges read"),
          entry("instrumentations", "what starts, not what a message costs; see app"),
          entry("metrics.window", "once in a window"),
          entry("metrics.mailboxes.enabled", "part of what has a row"),
          entry("metrics.gauges.interval", "how often what has a row is done"),
          entry("metrics.remote.large-message", "nothing goes to another node"),
          entry("metrics.prometheus.enabled", "once a scrape"),
          entry("metrics.prometheus.access", "once a scrape"),
          entry("page.access", "looked at for a request"),
          entry("page.control", "looked at for a request"),
          entry("page.token-file", "a place"),
          entry("page.join", "a place"),
          entry("page.join-control", "looked at for a request"),
          entry("page.mcp.enabled", "looked at for a request"),
          entry("page.shared-token-file", "a place"),
          entry("page.tls.certificate", "a place"),
          entry("page.tls.key", "a place"),
          entry("page.tls.keystore", "a place"),
          entry("page.tls.keystore-password-file", "a place"),
          entry("page.tls.trust", "a place"),
          entry("profile.enabled", "samples threads, whatever the messages are; see app"),
          entry("profile.waits", "a bound of what app has: the profile"),
          entry("profile.waits-per-second", "a bound of what app has: the profile"),
          entry("profile.allocations-per-second", "a bound of what app has: the profile"),
          entry("dump.directory", "a place"),
          entry("page.traces-per-second", "a bound of what has a row"),
          entry("page.memory", "a bound of what has a row"),
          entry("page.spans-kept", "a bound of what has a row"),
          entry("observer.memory", "a bound of what has a row: the page"),
          entry("observer.cpu", "a bound of what has a row: the page"),
          entry("control.file", "looked at twice a second"),
          entry("self-test.enabled", "once, beside the first actor system"),
          entry("self-test.wait", "when the self-test runs"),
          entry("report.file", "once, at the end"));

  private Switches() {}

  static List<String> names() {
    List<String> names = new ArrayList<>(List.of("none"));
    ROWS.forEach(row -> names.add(row.name()));
    return names;
  }
}
