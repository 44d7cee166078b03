// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that change while the application runs: by the control file, and by the page. */
class LiveControlTest {
  @TempDir private Path directory;

  @Test
  void settings_changedByFileAndPage_holdFromThenOnAndAreAudited() throws Exception {
    Path control = directory.resolve("control.conf");
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .deimos()
                .exportTo(receiver)
                .page()
                .property("deimos.control.file", control.toString())
                .start("live-control")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.run("controlled-tell");
      replace(control, "deimos { tracing.enabled = off }");
      jvm.awaitErr(
          "the change", l -> l.contains("deimos.tracing.enabled changed from true to false"));
      jvm.run("controlled-live-off");
      replace(control, "deimos { tracing.enabled = on }");
      jvm.awaitErr(
          "the change", l -> l.contains("deimos.tracing.enabled changed from false to true"));
      jvm.run("controlled-live-on");
      assertThat(post(page, "00", "deimos.tracing.enabled", "off")).isEqualTo(403);
      String token = page.token();
      assertThat(page.get("/api/settings").body()).doesNotContain(token);
      assertThat(post(page, token, "deimos.content.messages", "*")).isEqualTo(400);
      assertThat(post(page, token, "deimos.filter", "scenarios.Main")).isEqualTo(400);
      assertThat(post(page, token, "deimos.actors", "%7B%20a%20%3D%20%24%7BPATH%7D%20%7D"))
          .isEqualTo(400);
      assertThat(page.get("/api/settings").body()).doesNotContain(System.getenv("PATH"));
      assertThat(post(page, token, "deimos.tracing.user-actors", "off")).isEqualTo(200);
      assertThat(post(page, token, "deimos.page.port", "1")).isEqualTo(400);
      jvm.run("controlled-page-off");
      jvm.end();
      List<ReceivedSpan> spans = receiver.spans();
      assertThat(SpanTree.tracesOf(spans, "controlled-tell")).hasSize(4);
      assertThat(SpanTree.tracesOf(spans, "controlled-live-off")).isEmpty();
      assertThat(SpanTree.tracesOf(spans, "controlled-live-on")).hasSize(4);
      assertThat(SpanTree.tracesOf(spans, "controlled-page-off")).isEmpty();
      assertThat(jvm.err())
          .anyMatch(
              l ->
                  l.startsWith(
                      "deimos: setting deimos.tracing.user-actors changed from true to false by the"
                          + " page at "));
      assertThat(jvm.complaints())
          .containsExactly(
              "deimos: deimos.control.file="
                  + control
                  + " does not exist; it is read as soon as it does");
    }
  }

  /** Without it nothing is sampled; what the collector gets says from when till when it holds. */
  @Test
  void preset_lookClosely_isSeenOverOtlpAndGoesBackByItself() throws Exception {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .eitherForm()
                .exportTo(receiver)
                .property("otel.traces.sampler", "always_off")
                .page()
                .start("live-preset")) {
      RunningPage page = RunningPage.of(jvm);
      jvm.run("controlled-live-off");
      assertThat(command(page, "look-closely", "--for", "20s"))
          .contains("look-closely, for ", "began for 20s", "at the command line");
      jvm.awaitErr(
          "that it began", l -> l.startsWith("deimos: preset look-closely began for 20s by the"));
      jvm.run("controlled-tell");
      receiver.awaitSpans(
          "the traces while it holds",
          spans -> SpanTree.tracesOf(spans, "controlled-tell").size() == 4,
          Eventually.DEADLINE);
      jvm.awaitErr(
          "that it ended",
          l -> l.startsWith("deimos: preset look-closely ended: its time was up at "));
      jvm.awaitErr(
          "that what it had changed is back",
          l -> l.contains("deimos.sampling.messages changed from \"*\"=1 to {} by the end of"));
      jvm.run("controlled-page-off");
      assertThat(command(page)).contains("Nothing is changed", "ended: its time was up");
      assertThat(page.change("preset=look-closely&key=deimos.tracing.asks&value=off"))
          .isEqualTo(400);
      jvm.end();
      List<ReceivedSpan> spans = receiver.spans();
      assertThat(SpanTree.tracesOf(spans, "controlled-live-off")).isEmpty();
      assertThat(SpanTree.tracesOf(spans, "controlled-tell")).hasSize(4);
      assertThat(SpanTree.tracesOf(spans, "controlled-page-off")).isEmpty();
      assertThat(jvm.complaints()).isEmpty();
    }
  }

  /** The output of {@code control} prints of this page. */
  private static String command(RunningPage page, String... arguments) {
    List<String> line = new ArrayList<>(List.of("control"));
    line.addAll(List.of(arguments));
    return page.command(Jdk.own(), line.toArray(String[]::new)).succeeds();
  }

  /** At once, so that no half of it is read. */
  private void replace(Path file, String text) throws IOException {
    Path next = Files.writeString(directory.resolve("next"), text);
    Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static int post(RunningPage page, String token, String key, String value)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create(page.url() + "/api/settings?key=" + key + "&value=" + value))
                .header("X-Deimos-Token", token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
