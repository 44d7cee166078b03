// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.log.Problems;
import io.deimos.agent.tail.TailCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  private static final Duration MOST = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private final List<String> problems = new ArrayList<>();

  private void write(Path file) {
    AgentState state =
        new AgentState(
            new Problems(problems::add), new ExportCounts(), new TailCounts(), null, null);
    Assertions.assertTimeoutPreemptively(
        MOST, () -> new RunReport(file.toString(), state, problems::add).write(null));
  }

  @Test
  void write_fileThatIsThere_isReplacedWhole() throws IOException {
    Path file = Files.writeString(directory.resolve("report"), "x".repeat(100_000));
    write(file);
    assertThat(problems).isEmpty();
    assertThat(ConfigFactory.parseFile(file.toFile()).getLong("spans_exported")).isZero();
  }

  @Test
  void write_link_isNotFollowedAndTold() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "precious");
    Path nothing = directory.resolve("nothing");
    for (Path target : List.of(precious, nothing)) {
      Path link = Files.createSymbolicLink(directory.resolve("to-" + target.getFileName()), target);
      write(link);
      assertThat(problems).hasSize(1);
      assertThat(problems.remove(0)).contains("deimos.report.file=" + link, "a link");
    }
    assertThat(precious).hasContent("precious");
    assertThat(nothing).doesNotExist();
  }

  @Test
  void write_pipeThatNobodyReads_doesNotWaitAndIsTold() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    write(pipe);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.report.file=" + pipe, "a pipe");
  }
}
