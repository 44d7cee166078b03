// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tools of others, as their manuals say to start them; the application then runs with them. */
public final class Peers {
  private static final Path KAMON = Layout.target().resolve("agents/kamon");

  private Peers() {}

  /** The OpenTelemetry agent alone, with all its instrumentations of Pekko. */
  public static AgentJvm.Builder otel(AgentJvm.Builder builder) {
    return builder
        .agent(Layout.upstreamAgent())
        .property("otel.instrumentation.pekko-actor.enabled", "true")
        .property("otel.instrumentation.pekko-remote.enabled", "true")
        .property("otel.logs.exporter", "none")
        .property("otel.instrumentation.common.default-enabled", "true")
        .property("scenarios.tool", "otel");
  }

  /**
   * Kamon with the Kanela agent: every trace sampled, no reporter, and without its status page and
   * what it measures of the machine. It has to be first on the class path.
   */
  public static AgentJvm.Builder kamon(AgentJvm.Builder builder, List<Path> classPath) {
    List<Path> all = new ArrayList<>(kamonJars());
    all.addAll(classPath);
    return builder
        .agent(Layout.target().resolve("agents/kanela-agent.jar"))
        .classPath(all)
        .property("kamon.trace.sampler", "always")
        .property("kamon.modules.status-page.enabled", "false")
        .property("kamon.modules.host-metrics.enabled", "false")
        .property("kamon.modules.process-metrics.enabled", "false")
        .property("kamon.init.hide-banner", "true")
        .property("scenarios.tool", "kamon");
  }

  private static List<Path> kamonJars() {
    try (Stream<Path> jars = Files.list(KAMON)) {
      return jars.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(KAMON + " is missing; run the tests with Maven", e);
    }
  }
}
