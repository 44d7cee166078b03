// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.RunningPage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application whose threads are held: what each thread does, and what nothing gets past. */
class ThreadsTest {
  @AutoClose private static AgentJvm jvm;
  private static RunningPage page;

  @BeforeAll
  static void hold() {
    jvm =
        AgentJvm.on(Jdk.own())
            .agent(Layout.eitherForm())
            .property("deimos.page.port", "0")
            .property("deimos.starvation.threshold", "300ms")
            .property("deimos.metrics.gauges.interval", "100ms")
            .start("threads");
    jvm.tell("run trouble-starved 600000");
    page = RunningPage.of(jvm);
    jvm.awaitErr(
        "that it is starved",
        l -> l.startsWith("deimos: incident=starvation ") && l.contains(".dispatcher.name=few "));
  }

  private static Config few() {
    return page.json("/api/v1/threads?busy=true&q=held").getConfigList("dispatchers").stream()
        .filter(d -> !d.getIsNull("name") && d.getString("name").equals("few"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void api_heldThreads_sayWhatTheyDoAndWhere() {
    Config few = few();
    assertThat(few.getInt("parallelism")).isEqualTo(2);
    assertThat(few.getLong("waitNanos")).isGreaterThan(300_000_000L);
    assertThat(few.getConfigList("threads"))
        .hasSize(2)
        .allSatisfy(
            thread -> {
              assertThat(thread.getString("name")).startsWith("trouble-starved-few-");
              assertThat(thread.getString("work.actorClass")).isEqualTo("scenarios.Front");
              assertThat(thread.getString("work.messageClass"))
                  .isEqualTo("scenarios.Messages$Begin");
              assertThat(thread.getLong("work.forNanos")).isPositive();
              assertThat(
                      page.json("/api/v1/threads/" + thread.getLong("id")).getStringList("frames"))
                  .anyMatch(frame -> frame.contains("scenarios.Troubles.dawdle("));
            });
  }

  @Test
  void trouble_starvation_isThereWithStacks() {
    // On a machine that is busy enough, others are starved as well.
    List<? extends Config> groups =
        page.json("/api/v1/trouble?kind=starvation&q=few").getConfigList("groups");
    assertThat(groups).hasSize(1);
    assertThat(groups.get(0).getString("latest.story")).contains("A task of few has waited");
    Config one = page.json("/api/v1/trouble/" + groups.get(0).getString("id"));
    assertThat(one.getConfigList("examples").get(0).getString("stack")).contains("Troubles.dawdle");
  }

  @Test
  void commandLine_threads_isALineForEach() throws IOException, InterruptedException {
    assertThat(said("threads", "--find", "held"))
        .contains("trouble-starved few: 2 of 2 threads busy")
        .contains("scenarios.Messages$Begin in pekko://trouble-starved/user/held-");
  }

  /** What is stuck, and in which line? Which dispatcher is starved, and by whom? */
  @Test
  void browser_tasks_takeAtMostFiveClicks() throws IOException, InterruptedException {
    assertThat(
            clicks(
                "click:header a|threads",
                "click:.thread-row|Front",
                "see:.thread-open pre|Troubles.dawdle(Troubles.java:"))
        .isLessThanOrEqualTo(5);
    assertThat(
            clicks(
                "click:header a|trouble",
                "click:.trouble-kinds a|starvation",
                "click:.trouble-row|A task of few",
                "see:.trouble-examples pre|2 threads process"))
        .isLessThanOrEqualTo(5);
  }

  @Test
  void dump_savedAndOpened_showsTheSameWithoutTheProcess(@TempDir Path directory)
      throws IOException, InterruptedException {
    String file = directory.resolve("shop.json.gz").toString();
    assertThat(said("dump", file)).startsWith(file + ": ");
    Process open = Program.deimos(Jdk.own(), "open", file).start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(open.getInputStream(), StandardCharsets.UTF_8))) {
      String line = String.valueOf(said.readLine());
      assertThat(line).startsWith("deimos: dump at http://127.0.0.1:");
      assertThat(
              clicksAt(
                  line.replaceAll("deimos: dump at (\\S+).*", "$1"),
                  "see:header .badge|dump of ",
                  "click:header a|threads",
                  "click:.thread-row|Front",
                  "see:.thread-open pre|Troubles.dawdle(Troubles.java:",
                  "click:.thread-open a|held-",
                  "see:h2|"))
          .isLessThanOrEqualTo(5);
    } finally {
      open.destroyForcibly();
    }
    assertThat(page.get("/api/v1/dump").statusCode()).as("without its token").isEqualTo(403);
  }

  private static int clicks(String... steps) throws IOException, InterruptedException {
    return clicksAt(page.urlWithToken(), steps);
  }

  private static int clicksAt(String url, String... steps)
      throws IOException, InterruptedException {
    String said = Browser.looks("clicks.mjs", url, steps);
    return Integer.parseInt(said.replaceAll("(?s).*clicks: (\\d+).*", "$1"));
  }

  private static String said(String... arguments) {
    return page.command(Jdk.own(), arguments).succeeds();
  }
}
