// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The agent's memory does not grow, and at the end the page still keeps its {@link
 * EndurancePromises}. The application of the package {@code endurance} runs three times at once:
 * without the agent, with metrics only by stock Artery, and with everything on by our transport.
 * For {@code -Ddeimos.endurance.seconds}, {@value #SHORT_SECONDS} by default; {@code
 * integration-tests/endurance} has it run for an hour.
 */
@Isolated // three busy JVMs; beside other tests their queues grow with what the machine lacks
class EnduranceTest {
  private static final int SHORT_SECONDS = 45;

  @Test
  void application_forAsLongAsItRuns_needsNoMoreOfAnything() throws IOException {
    int seconds = Integer.getInteger("deimos.endurance.seconds", SHORT_SECONDS);
    // Ten minutes of an hour; a third where there is not that much time.
    int warm = seconds >= 1800 ? 600 : seconds / 3;
    int every = Math.max(3, seconds / 120);
    Map<String, EnduranceRun> runs = new LinkedHashMap<>();
    List<String> faults = new ArrayList<>();
    String page;
    try (Drain drain = Drain.open();
        AgentJvm without = start("without", seconds, every, application());
        AgentJvm metrics =
            start(
                "metrics",
                seconds,
                every,
                application().deimos().property("deimos.tracing.enabled", "false"));
        AgentJvm everything =
            start("everything", seconds, every, everything(application().deimos(), drain))) {
      // A start is growth, too; so all that is measured starts first, and in all of them.
      for (AgentJvm jvm : List.of(without, metrics, everything)) {
        jvm.awaitOut("its loads to be ready", l -> l.equals("@ready"));
        jvm.awaitOut("the shop to open", l -> l.contains("shop is open at http://"));
      }
      List.of(without, metrics, everything).forEach(jvm -> jvm.tell("go"));
      EndurancePromises promises =
          EndurancePromises.at(everything, Duration.ofSeconds(seconds + 240L), seconds >= 1800);
      everything.tell("end");
      for (Map.Entry<String, AgentJvm> run :
          List.of(
              Map.entry("without", without),
              Map.entry("metrics", metrics),
              Map.entry("everything", everything))) {
        AgentJvm jvm = run.getValue();
        int exit = jvm.awaitExit(Duration.ofSeconds(seconds + 240L));
        runs.put(run.getKey(), EnduranceRun.of(run.getKey(), warm, exit, jvm.out()));
      }
      promises.exported(drain.points());
      faults.addAll(promises.faults());
      page = promises.summary();
      System.out.println(page);
    }
    EnduranceRun bare = EnduranceRun.require(runs, "without");
    runs.values().forEach(run -> faults.addAll(run.judge(bare)));
    Path file = Layout.target().resolve("endurance/result.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, EnduranceRun.json(seconds, warm, runs.values(), faults, page));
    runs.values().forEach(run -> System.out.println(run.summary()));
    assertThat(faults).isEmpty();
  }

  /** A small heap, as in a container of half a gigabyte. */
  private static AgentJvm.Builder application() {
    return AgentJvm.on(newest())
        .option("-XX:+UseG1GC")
        .option("-XX:-UseSerialGC")
        .option("-Xmx256m")
        .option("-XX:+ExitOnOutOfMemoryError")
        .option("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
        .property("endurance.shop", "true")
        .property("shop.http.port", "0")
        .property("shop.load.orders-per-second", "4")
        .property("shop.load.stock-moves-per-second", "100")
        .property("pekko.remote.artery.canonical.port", "0")
        .classPath(Layout.shopClassPath());
  }

  private static Jdk newest() {
    List<Jdk> all = Jdk.all();
    return all.get(all.size() - 1);
  }

  private static AgentJvm.Builder everything(AgentJvm.Builder builder, Drain drain) {
    for (String on :
        List.of(
            "deimos.remote.enabled",
            "deimos.tracing.system-actors",
            "deimos.tracing.lifecycle",
            "deimos.tracing.message-events",
            "deimos.tracing.logs.enabled",
            "deimos.tracing.tail.enabled",
            "deimos.tracing.streams.enabled",
            "deimos.tracing.completion-stages.enabled",
            "deimos.metrics.system-actors",
            "deimos.page.enabled")) {
      builder.property(on, "true");
    }
    return builder
        .property("deimos.page.port", "0")
        .property("endurance.checked", "true")
        .property("otel.exporter.otlp.endpoint", drain.endpoint())
        .property("otel.exporter.otlp.protocol", "http/protobuf")
        .property("otel.metric.export.interval", "5000");
  }

  private static AgentJvm start(String name, int seconds, int every, AgentJvm.Builder builder) {
    return builder
        .property("otel.service.name", "endurance-" + name)
        .runs("endurance.Main", Integer.toString(seconds), Integer.toString(every))
        .start("endurance-" + name);
  }
}
