// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of a running application, by its interface and in a browser. */
@OnOneJdk
class PageTest {
  /** By {@code deimos.jar}: one of all, and what its instrumentations might record. */
  private static final Set<String> WITH_FULL = Set.of("page-api", "page-silent");

  private static final String SECRET = "s3cret-0f-the-shop";

  private final Jdk jdk;

  PageTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  @Tag("quick")
  void api_ofARunningApplication_saysWhatItDoes() {
    try (AgentJvm jvm = steady("page-api")) {
      RunningPage page = RunningPage.of(jvm);
      Config state =
          page.awaitState(
              "600 messages and the self-test's end",
              s ->
                  s.getLong("recorder.messages") >= 600
                      && s.getLong("recorder.spansExported") >= 600
                      // A span that is still in a ring counts as recorded, also if it is the
                      // self-test's.
                      && s.getLong("recorder.spansRecorded") == s.getLong("recorder.spansExported")
                      && !s.getString("hooks.state").equals("pending"));
      assertThat(state.getString("hooks.state")).as(state.toString()).isEqualTo("ok");
      assertThat(state.getString("pekkoVersion")).isEqualTo("1.7.0");
      assertThat(state.getStringList("systems")).contains("steady");
      assertThat(state.getLong("recorder.spansRecorded")).isEqualTo(600);
      assertThat(state.getLong("recorder.spansDropped")).isZero();
      assertThat(state.getStringList("problems")).isEmpty();
      assertThat(state.getConfigList("actors"))
          .extracting(a -> a.getString("class"))
          .containsExactlyInAnyOrder("scenarios.Echo", "scenarios.Front");
      Config first = page.traces("?limit=1").get(0);
      Config trace = page.trace(first.getString("traceId"));
      assertThat(trace.getConfigList("spans"))
          .extracting(s -> s.getString("name"))
          .containsExactlyInAnyOrder("process Begin", "process Ping", "process Pong");
    }
  }

  @Test
  void requests_toThePage_makeNoSpansAndNoMessages() {
    try (AgentJvm jvm = steady("page-silent")) {
      RunningPage page = RunningPage.of(jvm);
      page.awaitState("600 spans", s -> s.getLong("recorder.spansExported") >= 600);
      for (int i = 0; i < 20; i++) {
        assertThat(page.get("/").statusCode()).isEqualTo(200);
        page.traces("?limit=100");
      }
      Config after = page.state();
      assertThat(after.getLong("recorder.messages")).isEqualTo(600);
      assertThat(page.traces("?limit=1000"))
          .as("no trace but those of the application")
          .allSatisfy(t -> assertThat(t.getString("name")).isEqualTo("process Begin"));
    }
  }

  @Test
  void hookMetric_afterTheSelfTest_isZero() {
    int port = Layout.freePort();
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(jdk)
                .eitherForm()
                .property("deimos.page.port", Integer.toString(port))
                .exportTo(receiver)
                .metricsEvery(Duration.ofMillis(200))
                .start("hook-metric")) {
      jvm.tell("run steady");
      List<ReceivedPoint> points =
          receiver.awaitPoints(
              "deimos.hook.missing.count",
              all -> all.stream().anyMatch(p -> p.name().equals("deimos.hook.missing.count")),
              Eventually.DEADLINE);
      assertThat(points)
          .filteredOn(p -> p.name().equals("deimos.hook.missing.count"))
          .allSatisfy(p -> assertThat(p.value()).isZero());
      page_off_hasNoPort(port);
    }
  }

  private static void page_off_hasNoPort(int port) {
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void noEndpoint_configured_nothingIsConnected() {
    try (AgentJvm jvm = steady("page-unconnected")) {
      Config state =
          RunningPage.of(jvm)
              .awaitState("600 spans", s -> s.getLong("recorder.spansExported") >= 600);
      assertThat(state.getString("recorder.export")).doesNotContain("4318");
      assertThat(jvm.err()).noneMatch(l -> l.contains("Failed to export") || l.contains("4318"));
    }
  }

  @Test
  void browser_showsClassesAndWaterfallAndChangesASetting()
      throws IOException, InterruptedException {
    try (AgentJvm jvm = steady("page-browser")) {
      String url = RunningPage.of(jvm).urlWithToken();
      String said =
          Browser.looks(
              "look.mjs",
              url,
              List.of("Echo", "process Ping"),
              Map.of("LOOK_SETTING", "deimos.tracing.asks"),
              line -> {});
      assertThat(said.lines().toList())
          .contains("class: Echo", "span: process Ping", "setting: deimos.tracing.asks=false");
      jvm.awaitErr(
          "that the setting has changed",
          l ->
              l.startsWith(
                  "deimos: setting deimos.tracing.asks changed from true to false by the page"));
      answers_ofAnApplication_haveNoSecretsOfItsEnvironment(jvm);
      fileOfTheToken_afterTheEnd_isGone(jvm);
    }
  }

  /** It is in variables, and so is what the exporter is given. */
  private static void answers_ofAnApplication_haveNoSecretsOfItsEnvironment(AgentJvm jvm)
      throws IOException {
    RunningPage page = RunningPage.of(jvm);
    assertThat(page.dump())
        .contains("/api/settings", "deimos.page.traces-per-second", "127.0.0.1:9")
        .doesNotContain(SECRET);
    for (String path : List.of("/api/state", "/api/v1/system", "/api/settings", "/metrics")) {
      assertThat(page.get(path).body()).as(path).isNotEmpty().doesNotContain(SECRET);
    }
    assertThat(jvm.err())
        .filteredOn(l -> l.startsWith("deimos:"))
        .noneMatch(l -> l.contains(SECRET));
  }

  private static void fileOfTheToken_afterTheEnd_isGone(AgentJvm jvm) {
    String line = jvm.awaitErr("the page's address", l -> l.startsWith("deimos: page at "));
    Path file = Path.of(line.replaceAll(".*token in ([^)]*)\\).*", "$1"));
    assertThat(file).isRegularFile();
    assertThat(jvm.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
    assertThat(file).doesNotExist();
  }

  /** An application that has done 200 rounds and now waits. */
  private AgentJvm steady(String name) {
    AgentJvm.Builder builder =
        AgentJvm.on(jdk)
            .agent(WITH_FULL.contains(name) ? Layout.deimos() : Layout.eitherForm())
            .property("deimos.page.port", "0")
            .property("deimos.page.traces-per-second", "100000")
            .environment("SHOP_PASSWORD", SECRET)
            .environment("OTEL_EXPORTER_OTLP_HEADERS", "x-key=" + SECRET);
    if (name.equals("page-browser")) {
      builder.environment("OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:" + SECRET + "@127.0.0.1:9");
    }
    AgentJvm jvm = builder.start(name);
    jvm.tell("run steady");
    jvm.awaitOut("that it runs", l -> l.equals("@steady"));
    return jvm;
  }
}
