// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndDumpsTest {
  @TempDir private Path directory;

  private final List<String> said = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private long failed;

  private EndDumps into(Path to) {
    return new EndDumps(
        to.toString(),
        () -> failed,
        file -> Files.writeString(file, "a dump"),
        said::add,
        problems::add);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void failNow() {
    failed = Math.max(failed + 1, System.currentTimeMillis() * 1_000_000);
  }

  @Test
  void end_withoutAFailure_writesNothing() throws IOException {
    EndDumps dumps = into(directory);
    dumps.writeIfFailed();
    failed = (System.currentTimeMillis() - 3_600_000) * 1_000_000;
    dumps.writeIfFailed();
    assertThat(files()).isEmpty();
    assertThat(said).isEmpty();
    assertThat(problems).isEmpty();
  }

  @Test
  void end_afterAFailure_writesOneDumpAndNamesIt() throws IOException {
    EndDumps dumps = into(directory.resolve("made/for/it"));
    failNow();
    dumps.systemEnds();
    dumps.writeIfFailed();
    assertThat(said).hasSize(1);
    assertThat(said.get(0))
        .contains("(6 bytes)", "The directory was not there and has been made.")
        .containsPattern(
            "java -jar deimos.jar open"
                + " .*made/for/it/deimos-dump-[0-9]{8}T[0-9]{6}Z-[0-9]+\\.json\\.gz");
  }

  @Test
  void end_afterManyFailures_keepsTheLastDumpsAndEverythingElse() throws IOException {
    Files.writeString(directory.resolve("deimos-dump-mine.json.gz"), "not ours");
    Files.writeString(directory.resolve("deimos-dump-20200101T000000Z-1.json.gz"), "ours, old");
    EndDumps dumps = into(directory);
    for (int i = 0; i < EndDumps.MAX_FILES + 2; i++) {
      failNow();
      dumps.writeIfFailed();
    }
    assertThat(said).hasSize(EndDumps.MAX_FILES + 2);
    assertThat(files())
        .hasSize(EndDumps.MAX_FILES + 1)
        .contains("deimos-dump-mine.json.gz")
        .doesNotContain("deimos-dump-20200101T000000Z-1.json.gz");
  }

  @Test
  void end_whereNothingCanBeWritten_saysWhichSetting() throws IOException {
    Path file = Files.writeString(directory.resolve("a-file"), "");
    failNow();
    into(file).writeIfFailed();
    assertThat(said).isEmpty();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.dump.directory=" + file, "Name a directory");
  }
}
