// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.endurance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Nothing that the agent keeps outlives what it is about. Each program makes much and keeps
 * nothing, and says what the heap holds then; it takes the numbers of a long run as well, see
 * {@code lifetimes}.
 */
class LifetimesTest {
  private static final Jdk OWN = Jdk.own();

  /** The objects that may be at hand on the threads that worked last. */
  private static final long FEW = 64;

  @Test
  void actors_madeAndStoppedWithMetricsOnly_leaveNothing() {
    AgentJvm.Builder jvm =
        AgentJvm.on(OWN)
            .deimos()
            .property("deimos.tracing.enabled", "false")
            .property("otel.metrics.exporter", "none")
            .option("-Xmx128m")
            .runs("lifetimes.ManyActors", "100000", "0", "4096");
    assertThat(figure(run(jvm, "actors-metrics"), "@grown")).as("KiB").isLessThanOrEqualTo(4096);
  }

  @Test
  void actors_madeAndStoppedWithTracing_leaveLittle() {
    AgentJvm.Builder jvm =
        tracing()
            .property("deimos.page.enabled", "false")
            .option("-Xmx192m")
            .runs("lifetimes.ManyActors", "100000", "0", "4096");
    assertThat(figure(run(jvm, "actors-tracing"), "@grown")).as("KiB").isLessThanOrEqualTo(4096);
  }

  @Test
  void asks_sixTimesWhatThereIsRoomFor_leaveNothing() {
    AgentJvm.Builder builder =
        tracing()
            .property("deimos.page.port", "0")
            .property("deimos.page.spans-kept", "1000")
            .property("deimos.observer.memory", "4MiB")
            .runs("lifetimes.ManyAsks", "100000", "16384");
    try (AgentJvm jvm = builder.start("many-asks")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.awaitOut("the heap", line -> line.startsWith("@grown "));
      assertThat(figure(jvm.out(), "@answered")).isEqualTo(100_000);
      assertThat(figure(jvm.out(), "@grown")).as("KiB").isLessThanOrEqualTo(16_384);
      Config[] found = new Config[1];
      Eventually.await(
          () -> {
            HttpResponse<String> said = page.get("/api/v1/where?q=message:String");
            found[0] = ConfigFactory.parseString(said.body());
            return said.statusCode() == 200 && found[0].getLong("looked.asks") == 0;
          },
          () -> "open asks: " + found[0]);
      assertThat(found[0].getStringList("notLookedAt")).noneMatch(note -> note.contains("asks"));
    }
  }

  @Test
  void requests_thatLeaveTimersFuturesAndStreamsBehind_areCollected() {
    // the OpenTelemetry agent weaves tasks, too, and has contexts of its own
    AgentJvm.Builder jvm =
        tracing(Layout.deimos())
            .property("deimos.page.enabled", "false")
            .classPath(Layout.clusterClassPath())
            .pekkoAlone()
            .runs("lifetimes.Requests", "1000");
    List<String> out = run(jvm, "requests");
    assertThat(figure(out, "@timers")).as("held by cancelled timers").isLessThanOrEqualTo(FEW);
    assertThat(figure(out, "@futures")).as("held by kept futures").isLessThanOrEqualTo(FEW);
    assertThat(figure(out, "@streams")).as("held by idle streams").isLessThanOrEqualTo(FEW);
  }

  @Test
  void virtualThreads_thatAskAndWait_takeLittle() {
    assertThat(virtual("asks", 16_384)).as("KiB").isLessThanOrEqualTo(16_384);
  }

  @Test
  void virtualThreads_ofBlockedActors_takeLittle() {
    assertThat(virtual("actors", 24_576)).as("KiB").isLessThanOrEqualTo(24_576);
  }

  private static long virtual(String what, long most) {
    Optional<Jdk> newest = Jdk.all().stream().filter(jdk -> jdk.feature() >= 21).findFirst();
    assumeTrue(newest.isPresent(), "there is a JDK with virtual threads");
    AgentJvm.Builder jvm =
        AgentJvm.on(newest.get())
            .eitherForm()
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .option("-Xmx256m")
            .runs("lifetimes.VirtualThreads", what, "2000", Long.toString(most));
    List<String> out = run(jvm, "virtual-" + what);
    assertThat(figure(out, "@answered")).isEqualTo(2000);
    return figure(out, "@grown");
  }

  @Test
  void classLoader_ofAnApplicationThatHasEnded_isCollected() {
    AgentJvm.Builder jvm =
        tracing().property("deimos.page.port", "0").runs("lifetimes.Loaders", "3", "24576");
    List<String> out = run(jvm, "loaders");
    assertThat(out).contains("@alive 0 of 3");
    assertThat(figure(out, "@grown")).as("KiB").isLessThanOrEqualTo(24_576);
  }

  @Test
  void stuckActor_withMetricsOnly_isFound() {
    ScenarioRun run =
        ScenarioRun.run(
            OWN,
            "stuck-metrics",
            List.of("trouble-stuck"),
            b ->
                b.eitherForm()
                    .property("deimos.tracing.enabled", "false")
                    .property("deimos.stuck.threshold", "300ms")
                    .property("deimos.forensics.log-per-second", "1000")
                    .metricsEvery(Duration.ofMillis(200)));
    assertThat(run.err()).anyMatch(line -> line.startsWith("deimos: incident=stuck "));
    assertThat(run.points())
        .filteredOn(point -> point.name().equals("pekko.message.stuck"))
        .anyMatch(point -> point.value() > 0);
  }

  /** Everything is recorded, and sent nowhere. */
  private static AgentJvm.Builder tracing() {
    return tracing(Layout.eitherForm());
  }

  private static AgentJvm.Builder tracing(Path form) {
    return AgentJvm.on(OWN)
        .agent(form)
        .property("otel.traces.exporter", "none")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none");
  }

  private static List<String> run(AgentJvm.Builder builder, String name) {
    try (AgentJvm jvm = builder.start(name)) {
      assertThat(jvm.awaitExit()).as("exit code\n%s", jvm.transcript()).isZero();
      return jvm.out();
    }
  }

  private static long figure(List<String> out, String name) {
    return out.stream()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + out));
  }
}
