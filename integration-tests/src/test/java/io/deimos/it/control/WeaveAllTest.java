// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Parts that were off when the JVM started are turned on, and off again, while the application
 * runs.
 */
class WeaveAllTest {
  private static final Map<String, String> ON =
      Map.of(
          "stage-completed-elsewhere",
          """
          process Begin at /user/front
            process Done at /user/front from /user/front
          """,
          "stream-queue",
          """
          process Begin at /user/a
            process Work at /user/sink
          process Begin at /user/b
            process Work at /user/sink
          process Begin at /user/c
            process Work at /user/sink
          """,
          "persist-typed",
          """
          process Begin at /user/front
            process Add at /user/cart
              persist Cart at /user/cart
                process Added at /user/cart
                  process Done at /user/front
          recover Cart at /user/cart
            load-snapshot Cart at /user/cart
          """);

  private static final List<String> PARTS =
      List.of(
          "deimos.tracing.enabled",
          "deimos.metrics.enabled",
          "deimos.tracing.logs.enabled",
          "deimos.tracing.streams.enabled",
          "deimos.tracing.remote.enabled",
          "deimos.tracing.completion-stages.enabled",
          "deimos.persistence.enabled");

  @TempDir private Path directory;

  @Test
  void everythingOffAtTheStart_weaveAll_isTurnedOnAndOffAgain() throws Exception {
    offOnOff(List.of("deimos.enabled"));
  }

  @Test
  void eachPartOffAtTheStart_weaveAll_isTurnedOnAndOffAgain() throws Exception {
    offOnOff(PARTS);
  }

  private void offOnOff(List<String> keys) throws Exception {
    Path control = Files.createFile(directory.resolve("control.conf"));
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      AgentJvm.Builder builder =
          AgentJvm.on(Jdk.own())
              .deimos()
              .classPath(Layout.wholeClassPath())
              .pekkoAlone()
              .exportTo(receiver)
              .metricsEvery(Duration.ofMillis(100))
              .property("deimos.tracing.logs.enabled", "true")
              .property("deimos.control.weave-all", "true")
              .property("deimos.control.file", control.toString());
      keys.forEach(key -> builder.property(key, "false"));
      try (AgentJvm jvm = builder.start("weave-all")) {
        jvm.run("controlled-tell");
        turn(jvm, control, keys, "false", "true");
        jvm.run("controlled-live-on");
        jvm.run("user-logs");
        for (String scenario : ON.keySet()) {
          jvm.run(
              scenario.startsWith("persist")
                  ? scenario + " jdbc:h2:mem:deimos;DATABASE_TO_UPPER=false;DB_CLOSE_DELAY=-1"
                  : scenario);
        }
        Eventually.await(
            () -> isCounted(receiver, "controlled-live-on"), () -> "no messages were counted");
        turn(jvm, control, keys, "true", "false");
        jvm.run("controlled-live-off");
        jvm.end();
        assertThat(jvm.complaints()).isEmpty();
      }
      assertThat(receiver.spans())
          .filteredOn(s -> List.of("controlled-tell", "controlled-live-off").contains(system(s)))
          .isEmpty();
      assertThat(counts(receiver, "controlled-tell")).isEmpty();
      assertThat(counts(receiver, "controlled-live-off")).isEmpty();
      assertThat(SpanTree.tracesOf(receiver.spans(), "controlled-live-on")).hasSize(4);
      assertThat(SpanTree.tracesOf(receiver.spans(), "user-logs"))
          .anyMatch(s -> s.events().stream().anyMatch(e -> e.name().equals("pekko.log")));
      ON.forEach(
          (scenario, tree) ->
              assertThat(
                      SpanTree.of(
                          SpanTree.tracesOf(receiver.spans(), scenario).stream()
                              .filter(ReceivedSpan::isOurs)
                              .toList()))
                  .as(scenario)
                  .isEqualTo(tree));
    }
  }

  private static String system(ReceivedSpan span) {
    return String.valueOf(span.text("pekko.system"));
  }

  private static boolean isCounted(OtlpReceiver receiver, String system) {
    return !counts(receiver, system).isEmpty();
  }

  private static List<ReceivedPoint> counts(OtlpReceiver receiver, String system) {
    return receiver.points().stream()
        .filter(p -> p.name().equals("pekko.message.processed"))
        .filter(p -> system.equals(p.attributes().get("pekko.system")))
        .filter(p -> p.value() > 0)
        .toList();
  }

  /** At once, so that no half of it is read; waits for the last change to be told. */
  private void turn(AgentJvm jvm, Path control, List<String> keys, String from, String to)
      throws IOException {
    StringBuilder text = new StringBuilder();
    keys.forEach(key -> text.append(key).append(" = ").append(to).append('\n'));
    Path next = Files.writeString(directory.resolve("next"), text);
    Files.move(next, control, StandardCopyOption.REPLACE_EXISTING);
    for (String key : keys) {
      jvm.awaitErr(
          "the change of " + key,
          l -> l.startsWith("deimos: setting " + key + " changed from " + from + " to " + to));
    }
  }
}
