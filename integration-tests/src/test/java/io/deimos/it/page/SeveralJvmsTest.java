// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.FailingAgent;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.RunningPage;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with one port and no other setting have one page. They are killed one after the
 * other, the clock of one is two minutes behind, and what each has to do goes on all the while.
 */
class SeveralJvmsTest {
  private static final Duration BEHIND = Duration.ofMinutes(-2);

  @TempDir private Path directory;

  @Test
  void processes_killedOneAfterTheOther_areSeenByTheNextAndGoOn() {
    int port = Layout.freePort();
    RunningPage page = new RunningPage("http://127.0.0.1:" + port);
    AgentJvm.Builder wrong = AgentJvm.on(Jdk.own()).option(FailingAgent.clock(BEHIND));
    try (AgentJvm first = start(AgentJvm.on(Jdk.own()), "several-first", port)) {
      first.awaitErr("its page", l -> l.startsWith("deimos: page at "));
      try (AgentJvm second = start(wrong, "several-second", port);
          AgentJvm third = start(AgentJvm.on(Jdk.own()), "several-third", port)) {
        awaitJoined(second);
        awaitJoined(third);
        List<? extends Config> nodes = await(page, "three", all -> all.size() == 3);
        assertThat(nodes)
            .extracting(node -> node.getLong("pid"))
            .containsExactlyInAnyOrder(first.pid(), second.pid(), third.pid());
        String id = nodes.get(1).getString("id");
        Eventually.await(
            () -> page.get("/nodes/" + id + "/api/v1/actors").body().contains("scenarios."),
            () -> "the actors of " + id);

        clock_twoMinutesBehind_isThatOfAProcessLikeOthers(page, second);

        long killedAt = System.nanoTime();
        kill(first);
        await(page, "another that serves", all -> !all.isEmpty());
        long tookMillis = (System.nanoTime() - killedAt) / 1_000_000;
        System.out.println("SeveralJvmsTest: another served the page after " + tookMillis + " ms");
        List<? extends Config> left = await(page, "both that are left", all -> all.size() == 2);
        AtWork.awaitMore(second);
        AtWork.awaitMore(third);
        AgentJvm next = left.get(0).getLong("pid") == second.pid() ? second : third;
        AgentJvm last = next == second ? third : second;
        kill(last);
        await(page, "one gone", all -> states(all).equals(List.of("serves", "gone")));
        assertThat(page.get("/api/v1/trouble").body()).contains("A process has left the page");
        AtWork.awaitMore(next);
        assertThat(next.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
        assertThat(next.stop()).as("ended by SIGTERM, or by the end of its input").isIn(143, 0);
        assertThat(next.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
      }
    }
  }

  /**
   * A token that a tab, a command and a JVM have sent to a stranger opens nothing at the next page.
   * A private window reaches that page, and the service worker that he has left in a browser ends.
   */
  @Test
  void page_whosePortAStrangerHadForAMoment_takesNoTokenThatTheStrangerWasSent() throws Exception {
    int port = Layout.freePort();
    Path tokenFile = directory.resolve("token");
    try (AgentJvm first = start(AgentJvm.on(Jdk.own()), "stranger-first", port)) {
      RunningPage page = RunningPage.of(first);
      Files.writeString(tokenFile, page.token());
      assertThat(command("control", page.url(), tokenFile)).startsWith("0 ");
      try (AgentJvm second = start(AgentJvm.on(Jdk.own()), "stranger-second", port)) {
        awaitJoined(second);
        CompletableFuture<StrangerOnThePort> stranger = new CompletableFuture<>();
        Browser.answered(
            "stranger.mjs",
            page.urlWithToken(),
            List.of(),
            Map.of(),
            line ->
                switch (line) {
                  case "take the port" -> {
                    stranger.complete(takePort(port, first, second));
                    yield "he has it";
                  }
                  case "serve again" -> {
                    leavePort(stranger.join(), port, second, tokenFile);
                    yield RunningPage.of(second).urlWithToken();
                  }
                  case "end him" -> {
                    stranger.join().close();
                    yield "he is gone";
                  }
                  default -> null;
                });
        RunningPage next = RunningPage.of(second);
        assertThat(next.url()).isEqualTo(page.url());
        assertThat(stranger.join().tokens())
            .as("the tab's, and nobody else's")
            .containsExactly(page.token())
            .doesNotContain(next.token());
        assertThat(page.set("deimos.tracing.asks", "false")).as("the stranger").isEqualTo(403);
        assertThat(next.set("deimos.tracing.asks", "false")).isEqualTo(200);
        assertThat(second.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
      }
    }
  }

  /** Has a stranger take the port of one process before the other one can. */
  private static StrangerOnThePort takePort(int port, AgentJvm first, AgentJvm second) {
    second.signal("STOP");
    kill(first);
    StrangerOnThePort stranger = StrangerOnThePort.on(port);
    second.signal("CONT");
    return stranger;
  }

  /** Has him leave it as soon as everybody has asked him. */
  private static void leavePort(
      StrangerOnThePort stranger, int port, AgentJvm second, Path tokenFile) {
    Eventually.await(
        () -> stranger.hasHeard("/api/v1/about ") && !stranger.tokens().isEmpty(),
        () -> "that the tab and the JVM have asked the stranger");
    assertThat(command("control", "http://127.0.0.1:" + port, tokenFile))
        .startsWith("1 ")
        .contains("does not prove that it knows this token");
    assertThat(stranger.hasHeard("Deimos-Number: ")).as("the command").isTrue();
    second.awaitErr("that it goes on", l -> l.contains("tries again and again"));
    stranger.leavePort();
  }

  /** Its exit code, and what it has said. */
  private static String command(String name, String page, Path tokenFile) {
    Program command =
        Program.run(
            Program.deimos(Jdk.own(), name, "--page", page, "--token-file", tokenFile.toString()));
    return command.code() + " " + command.said();
  }

  /** It is on the page, its traces are there and whole, and so is what goes wrong in it. */
  private static void clock_twoMinutesBehind_isThatOfAProcessLikeOthers(
      RunningPage page, AgentJvm jvm) {
    Config said = page.json("/api/v1/nodes");
    Config node =
        said.getConfigList("nodes").stream()
            .filter(one -> one.getLong("pid") == jvm.pid())
            .findFirst()
            .orElseThrow();
    assertThat(said.getLong("nowMillis") - node.getLong("saidAtMillis"))
        .as("its clock is behind")
        .isBetween(100_000L, 200_000L);
    jvm.tell("run trouble-dead-letter");
    String id = node.getString("id");
    Eventually.await(
        () ->
            page.json("/api/v1/trouble").getConfigList("groups").stream()
                .anyMatch(
                    one ->
                        one.getString("kind").equals("dead_letter")
                            && one.root().render().contains(id)),
        () -> "a dead letter of " + id + ": " + page.get("/api/v1/trouble").body());
    Eventually.await(
        () ->
            page.traces("?limit=1000").stream()
                .map(trace -> page.get("/api/traces/" + trace.getString("traceId")).body())
                .anyMatch(
                    trace ->
                        trace.contains("\"node\":\"" + id + "\"")
                            && trace.contains("\"complete\":true")),
        () -> "a whole trace of " + id);
    AtWork.awaitMore(jvm);
  }

  private static AgentJvm start(AgentJvm.Builder jvm, String name, int port) {
    AgentJvm started =
        jvm.agent(name.equals("several-first") ? Layout.deimos() : Layout.eitherForm())
            .property("deimos.page.port", Integer.toString(port))
            .start(name);
    AtWork.begin(started);
    return started;
  }

  private static void awaitJoined(AgentJvm jvm) {
    jvm.awaitErr("that it is on the page", l -> l.startsWith("deimos: on the page at "));
  }

  private static void kill(AgentJvm jvm) {
    assertThat(ProcessHandle.of(jvm.pid()).orElseThrow().destroyForcibly()).isTrue();
  }

  private static List<String> states(List<? extends Config> nodes) {
    return nodes.stream().map(node -> node.getString("state")).toList();
  }

  private static List<? extends Config> await(
      RunningPage page, String what, Predicate<List<? extends Config>> condition) {
    return Eventually.see(
        () -> nodes(page), condition, last -> what + " on the page, but: " + last);
  }

  /** None while nobody serves. */
  private static List<? extends Config> nodes(RunningPage page) {
    try {
      return ConfigFactory.parseString(page.get("/api/v1/nodes").body()).getConfigList("nodes");
    } catch (UncheckedIOException e) {
      return List.of();
    }
  }
}
