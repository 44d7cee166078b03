// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The errors where the tests are run in a wrong way, in a wrong way, in a JVM of its own. */
class WithoutAgentTest {
  private static final Path AGENT = Path.of("..", "agent", "target", "deimos.jar");

  private static String output(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Recording.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void record_withoutTheAgent_saysHowToGetIt() throws IOException {
    assertThat(output())
        .contains("there is no agent in this JVM; run the tests with -javaagent:deimos.jar");
  }

  @Test
  void record_withAnAgentThatWasNotTold_saysHowToTellIt() throws IOException {
    assertThat(output("-javaagent:" + AGENT, "-Ddeimos.page.enabled=false"))
        .contains("the agent in this JVM lets no test listen; run the tests with -javaagent");
  }

  /** Begins to record. */
  static final class Recording {
    private Recording() {}

    public static void main(String[] args) {
      try (Telemetry telemetry = Telemetry.record()) {
        System.out.println(telemetry.shown());
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
