// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import io.deimos.pekko.HookNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Alerts fire when what they are about happens, in a real Prometheus that reads real applications.
 * Thresholds are those of the rules; how far back they look and how long they wait is cut, or each
 * would take ten minutes. {@code grafana/rules-test.yml} has the times.
 */
@Tag("long")
class AlertsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** The alerts of an application that does everything wrong. */
  private static final List<String> OF_ONE_NODE =
      List.of(
          "PekkoMessageStuck",
          "PekkoMailboxWaitLong",
          "PekkoMailboxGrows",
          "PekkoMailboxWillOverflow",
          "PekkoActorsFail",
          "PekkoAsksTimeOut",
          "PekkoDeadLetters",
          "PekkoMessagesDropped",
          "PekkoCircuitBreakerOpen",
          "PekkoDispatcherStarved",
          "PekkoSchedulerLate",
          "PekkoShardBuffersFill",
          "PekkoShardHandOffTimesOut",
          "PekkoPersistenceFails",
          "PekkoPersistenceSlow",
          "PekkoProjectionFails",
          "PekkoProjectionLags",
          "PekkoProjectionStopped",
          "DeimosTransportDropsMessages",
          "DeimosTransportReconnects",
          "DeimosTransportRefusesPeers",
          "DeimosLosesSpans",
          "DeimosTailSamplingFull",
          "DeimosGuardCutsTraces",
          "DeimosLosesContexts",
          "DeimosHooksMissing");

  /** The alerts of a cluster whose oldest node, which has the singleton, stands still. */
  private static final List<String> OF_A_CLUSTER =
      List.of(
          "PekkoMembersUnreachable",
          "PekkoClusterNotConverged",
          "PekkoSingletonMissing",
          "PekkoMemberDowned",
          "PekkoQuarantined");

  /** The alerts of one whose newest node stands still now and then. */
  private static final List<String> OF_A_SLOW_NODE = List.of("PekkoHeartbeatsSlow");

  /** The alerts of two clusters of the same name. */
  private static final List<String> OF_TWO_CLUSTERS = List.of("PekkoClusterSplit");

  @Test
  void alerts_all_haveACauseHere() throws IOException {
    assertThat(
            Stream.of(OF_ONE_NODE, OF_A_CLUSTER, OF_A_SLOW_NODE, OF_TWO_CLUSTERS)
                .flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(GrafanaTest.rules("alert"));
  }

  @Test
  void alerts_applicationThatDoesEverythingWrong_fire() throws IOException {
    String hook =
        HookNames.all().stream()
            .filter(name -> name.startsWith("GroupRouterImpl.onMessage"))
            .findFirst()
            .orElseThrow();
    try (AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .deimos()
            .page()
            .classPath(Layout.wholeClassPath())
            .property("deimos.remote.enabled", "on")
            .property("deimos.internal.hooks.skip", hook)
            .property("deimos.stuck.threshold", "500ms")
            .property("deimos.tracing.guard.max-depth", "100")
            .property("deimos.tracing.tail.enabled", "true")
            .property("deimos.tracing.tail.delay", "30s")
            .property("deimos.tracing.tail.max-spans", "1000")
            .property("otel.exporter.otlp.protocol", "http/protobuf")
            .property(
                "otel.exporter.otlp.traces.endpoint",
                "http://127.0.0.1:" + Layout.freePort() + "/v1/traces")
            .property("otel.exporter.otlp.timeout", "1000")
            .property("otel.instrumentation.common.default-enabled", "false")
            .property("otel.instrumentation.opentelemetry-api.enabled", "true")
            .property("otel.metrics.exporter", "none")
            .start("alarms")) {
      RunningPage page = RunningPage.of(jvm);
      try (Prometheus prometheus = Prometheus.impatient(List.of(page.url()))) {
        jvm.tell("run alarms");
        String line = jvm.awaitOut("its address", l -> l.matches("@(alarms|failed) .*"));
        URI address = URI.create(line.substring(line.indexOf(' ') + 1));
        await(prometheus, OF_ONE_NODE, () -> speakNonsense(address.getPort()), jvm);
      }
    }
  }

  /** As somebody does who takes the port for one of a web server's. */
  private static void speakNonsense(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      socket.setSoTimeout(2_000);
      socket.getInputStream().read();
    } catch (IOException e) {
      // it was refused, which is what it is for
    }
  }

  @Test
  void alerts_clusterOfTheSampleInTrouble_fire() throws Exception {
    int seed = Layout.freePort();
    int pageOfOther = Layout.freePort();
    List<AgentJvm> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        nodes.add(shop(i == 0 ? seed : Layout.freePort(), seed, 0));
        nodes.get(i).awaitErr("the page's address", l -> l.startsWith("deimos: page at "));
      }
      List<String> pages = new ArrayList<>(List.of("http://127.0.0.1:" + pageOfOther));
      nodes.forEach(node -> pages.add(RunningPage.of(node).url()));
      try (Prometheus prometheus = Prometheus.impatient(pages)) {
        new Eventually()
            .await(
                () ->
                    prometheus.answers(
                            "count(pekko_cluster_member_count{pekko_cluster_member_status=\"up\"}"
                                + " == 3) == 3 and on () sum(pekko_cluster_singleton) == 1")
                        > 0,
                PATIENCE,
                () -> "no cluster of three\n" + nodes.get(0).transcript());
        AgentJvm newest = nodes.get(2);
        await(prometheus, OF_A_SLOW_NODE, () -> holdFor(4_000, newest), newest);
        nodes.get(0).signal("STOP");
        await(prometheus, OF_A_CLUSTER, () -> {}, nodes.get(1));
        // Somebody starts a second cluster in place of joining the first.
        int other = Layout.freePort();
        nodes.add(shop(other, other, pageOfOther));
        await(prometheus, OF_TWO_CLUSTERS, () -> {}, nodes.get(3));
      }
    } finally {
      nodes.forEach(AgentJvm::close);
    }
  }

  /** Stands still for so long, and then is at work for as long. */
  private static void holdFor(long millis, AgentJvm jvm) {
    jvm.signal("STOP");
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    jvm.signal("CONT");
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void await(
      Prometheus prometheus, Iterable<String> alerts, Runnable meanwhile, AgentJvm jvm) {
    Set<String> missing = new TreeSet<>();
    alerts.forEach(missing::add);
    new Eventually()
        .await(
            () -> {
              meanwhile.run();
              missing.removeAll(prometheus.fired());
              return missing.isEmpty();
            },
            PATIENCE,
            () -> missing + " did not fire\n" + jvm.transcript());
  }

  private static AgentJvm shop(int port, int seed, int page) {
    Path jar = Layout.root().resolve("samples/shop/target/shop.jar");
    return AgentJvm.on(Jdk.own())
        .deimos()
        .property("deimos.page.enabled", "true")
        .property("deimos.page.port", Integer.toString(page))
        .property("otel.instrumentation.common.default-enabled", "false")
        .property("otel.metrics.exporter", "none")
        .property("shop.http.port", "0")
        .property("shop.load.orders-per-second", "5")
        .property("shop.load.stock-moves-per-second", "20")
        .property("pekko.remote.artery.canonical.port", Integer.toString(port))
        .property("pekko.cluster.seed-nodes.0", "pekko://shop@127.0.0.1:" + seed)
        .property("pekko.cluster.split-brain-resolver.stable-after", "12s")
        .property("pekko.cluster.down-removal-margin", "12s")
        .classPath(List.of())
        .runs("-jar", jar.toString())
        .start("alerts-shop");
  }
}
