// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.json.JsonReader;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpFileTest {
  @TempDir private Path directory;

  private static DumpFile dump(long mostBytes) {
    return new DumpFile(
        new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, "t"),
        new Asked(new Observer(4 << 20), List.of()),
        new TraceStore(StoreLimits.DEFAULT),
        mostBytes);
  }

  @Test
  void write_aDump_isForItsUserAloneAndCanBeRead() throws IOException {
    Path file = directory.resolve("dump.json.gz");
    dump(DumpFile.MAX_BYTES).write(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(object(object(JsonReader.read(text)).get("answers"))).containsKey("/api/state");
    }
  }

  @Test
  void write_moreThanItMayTake_leavesNothing() throws IOException {
    assertThatThrownBy(() -> dump(100).write(directory.resolve("dump.json.gz")))
        .hasMessageContaining("larger than 100 bytes");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void write_whereAFileIsInTheWay_doesNotTakeIt() throws IOException {
    Path file = directory.resolve("dump.json.gz");
    Path inTheWay = Files.writeString(directory.resolve("dump.json.gz.part"), "another's");
    assertThatThrownBy(() -> dump(DumpFile.MAX_BYTES).write(file))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(inTheWay).hasContent("another's");
    assertThat(file).doesNotExist();
  }
}
