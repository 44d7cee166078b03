// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which message class burns the CPU? One computes, one sleeps as long, and most messages do
 * neither. The application makes a recording of its own meanwhile.
 */
@OnEachJdk
class ProfileTest {
  private static final int ENOUGH = 60;
  private static final String BURNS = "scenarios.Messages$Work";

  private final Jdk jdk;

  ProfileTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void profile_ofAnApplication_namesTheMessageThatBurnsTheCpu(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path recording = directory.resolve("own.jfr");
    try (AgentJvm jvm =
        AgentJvm.on(jdk)
            .agent(Layout.eitherForm())
            .option("-XX:StartFlightRecording:filename=" + recording + ",settings=profile")
            .property("deimos.page.port", "0")
            .start("profile")) {
      jvm.tell("run profiled 1000000");
      RunningPage page = RunningPage.of(jvm);
      Config profile = await(page);
      Config first = messages(profile).get(0);
      assertThat(first.getString("messageClass")).isEqualTo(BURNS);
      assertThat(first.getString("actorClass")).isEqualTo("scenarios.Profiled$Busy");
      assertThat(profile.getConfig("tree").getStringList("frames"))
          .contains("scenarios.Profiled.burn");
      long others =
          messages(profile).stream().skip(1).mapToLong(row -> row.getLong("samples")).sum();
      assertThat(first.getLong("samples")).as("%s", profile).isGreaterThan(2 * others);

      assertThat(page.get("/api/v1/profile?class=Busy&format=collapsed").body().lines())
          .anyMatch(
              line ->
                  line.startsWith("scenarios.Profiled$Busy;" + BURNS + ";")
                      && line.contains(";scenarios.Profiled.burn"));
      assertThat(
              page.json("/api/v1/profile?message=Work&format=speedscope").getConfigList("profiles"))
          .hasSize(1);
      commandLine_profile_isATableAndAFile(page, directory);

      assertThat(jvm.complaints()).isEmpty();
      jvm.stop();
    }
    assertThat(RecordingFile.readAllEvents(recording))
        .as("the application's own recording")
        .anyMatch(event -> event.getEventType().getName().equals("jdk.ExecutionSample"));
  }

  private static Config await(RunningPage page) {
    return page.await(
        "/api/v1/profile?seconds=600",
        now ->
            messages(now).stream()
                .anyMatch(
                    row ->
                        row.getString("messageClass").equals(BURNS)
                            && row.getLong("samples") >= ENOUGH));
  }

  private static List<? extends Config> messages(Config profile) {
    return profile.getConfigList("rows").stream()
        .filter(row -> row.getString("kind").equals("message"))
        .toList();
  }

  private void commandLine_profile_isATableAndAFile(RunningPage page, Path directory) {
    Path file = directory.resolve("profile.txt");
    String said =
        page.command(jdk, "profile", "--seconds", "5", "--collapsed", file.toString()).succeeds();
    assertThat(said.lines().filter(line -> line.contains("  in ")).findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).contains(BURNS + "  in scenarios.Profiled$Busy"));
    assertThat(said).contains("Native code is not sampled.");
    assertThat(file).content().contains(";scenarios.Profiled.burn");
  }
}
