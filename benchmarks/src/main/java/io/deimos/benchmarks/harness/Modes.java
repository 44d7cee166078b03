// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import io.deimos.benchmarks.peers.ActiveSpanLauncher;
import io.deimos.benchmarks.peers.KamonLauncher;
import io.deimos.benchmarks.peers.SpanningActor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The modes there are. No mode has an exporter: Deimos counts and drops its spans, Kamon has no
 * reporter, Datadog is pointed at a closed port on 127.0.0.1 and told to call nobody else.
 */
final class Modes {
  static final List<String> OURS =
      List.of("none", "off", "metrics", "unsampled", "tracing", "full", "otel");
  static final List<String> PHASES =
      Stream.concat(OURS.stream(), Stream.of("none-typed", "full-typed")).toList();
  static final List<String> WORKERS = List.of("none", "metrics", "unsampled", "full");
  static final List<String> PEERS =
      List.of("none", "full", "kamon", "otel", "otel-active", "datadog", "sdk");
  static final List<String> SCALE = List.of("none", "metrics", "full");

  static final List<String> NO_EXPORTERS =
      List.of(
          "-Dotel.traces.exporter=none",
          "-Dotel.metrics.exporter=none",
          "-Dotel.logs.exporter=none");
  private static final List<String> KAMON_FLAGS =
      List.of(
          "-Dkamon.instrumentation.pekko.filters.actors.track.includes.0=*/user/**",
          "-Dkamon.instrumentation.pekko.filters.actors.start-trace.includes.0=*/user/**",
          "-Dkamon.trace.sampler=always",
          "-Dkamon.modules.status-page.enabled=false",
          "-Dkamon.modules.host-metrics.enabled=false",
          // Without it Kanela leaves most of Pekko alone on a JDK later than 21.
          "-Dkanela.agent.libs.net.bytebuddy.experimental=true");
  private static final List<String> DATADOG_FLAGS =
      List.of(
          "-Ddd.trace.agent.url=http://127.0.0.1:9",
          "-Ddd.instrumentation.telemetry.enabled=false",
          "-Ddd.remote_configuration.enabled=false",
          "-Ddd.remote_config.enabled=false",
          "-Ddd.jmxfetch.enabled=false",
          "-Ddd.profiling.enabled=false",
          "-Ddd.appsec.enabled=false",
          "-Ddd.iast.enabled=false",
          "-Ddd.crashtracking.enabled=false",
          "-Ddd.trace.health.metrics.enabled=false",
          "-Ddd.trace.startup.logs=false",
          "-Ddatadog.slf4j.simpleLogger.defaultLogLevel=error");

  private final Map<String, Mode> byName = new LinkedHashMap<>();
  private final Path lib;

  Modes(Path home, Path deimos) {
    Path agents = home.resolve("target/agents");
    lib = home.resolve("target/lib");
    List<Path> sdk = jars(lib.resolve("sdk"));
    Path otel = agents.resolve("opentelemetry-javaagent.jar");

    add(Mode.plain("none"));
    add(deimos("off", deimos, "-Ddeimos.enabled=false"));
    add(deimos("metrics", deimos, "-Ddeimos.tracing.enabled=false"));
    add(
        deimos(
            "unsampled",
            deimos,
            "-Ddeimos.metrics.enabled=false",
            "-Dotel.traces.sampler=always_off"));
    add(deimos("tracing", deimos, "-Ddeimos.metrics.enabled=false"));
    add(deimos("full", deimos));
    List.of("none", "full").forEach(name -> add(mode(name).typed()));
    Switches.ROWS.forEach(row -> byName.putIfAbsent(row.name(), row.mode(deimos)));
    add(Mode.agent("otel", otel, NO_EXPORTERS));
    add(
        Mode.agent("otel-active", otel, NO_EXPORTERS)
            .with(sdk, List.of(ActiveSpanLauncher.class.getName()), List.of()));
    add(
        Mode.agent("kamon", agents.resolve("kanela-agent.jar"), KAMON_FLAGS)
            .with(
                jars(agents.resolve("kamon")), List.of(KamonLauncher.class.getName()), List.of()));
    add(Mode.agent("datadog", agents.resolve("dd-java-agent.jar"), DATADOG_FLAGS));
    add(
        Mode.plain("sdk")
            .with(sdk, List.of(), List.of("--actor=" + SpanningActor.class.getName())));
  }

  /** Returns the mode of that name. */
  Mode mode(String name) {
    Mode mode = byName.get(name);
    if (mode == null) {
      throw new IllegalArgumentException(
          "--modes=" + name + ": not a mode; there are " + String.join(", ", byName.keySet()));
    }
    return mode;
  }

  /** Returns the Deimos agent with everything on and its spans sent to {@code endpoint} by OTLP. */
  static Mode exporting(Path deimos, String endpoint) {
    return Mode.agent(
        "ours",
        deimos,
        List.of(
            "-Ddeimos.page.enabled=false",
            "-Dotel.traces.exporter=otlp",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none",
            "-Dotel.exporter.otlp.protocol=http/protobuf",
            "-Dotel.exporter.otlp.endpoint=" + endpoint,
            "-Dotel.bsp.schedule.delay=100"));
  }

  /** Returns the SDK alone, sending to {@code endpoint}; {@code arguments} change its queue. */
  Mode sdkExporting(String name, String endpoint, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--endpoint=" + endpoint));
    all.addAll(Arrays.asList(arguments));
    return Mode.plain(name).with(jars(lib.resolve("sdk")), List.of(), List.copyOf(all));
  }

  /** Returns the Deimos agent with settings, without its page and exporting nothing. */
  static Mode deimos(String name, Path jar, String... flags) {
    List<String> all = new ArrayList<>(NO_EXPORTERS);
    all.add("-Ddeimos.page.enabled=false");
    // while the program warms up, and not in the midst of what is measured
    all.add("-Ddeimos.self-test.wait=0s");
    all.addAll(Arrays.asList(flags));
    return Mode.agent(name, jar, all);
  }

  private void add(Mode mode) {
    byName.put(mode.name(), mode);
  }

  /**
   * The jars of a folder; the folder itself, which is then named as missing, where there are none.
   */
  static List<Path> jars(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of(folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
