// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar for the bootstrap loader and the page's token are written by it. */
class OwnFilesTest {
  private static final byte[] BYTES = {1, 2, 3};

  @TempDir private Path directory;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void write_newFile_isTheOwnersAlone() throws IOException {
    Path file = directory.resolve("new");
    OwnFiles.write(file, BYTES);
    assertThat(file).hasBinaryContent(BYTES);
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void write_fileOrLinkThatIsThere_isRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("precious"), "precious");
    Path nothing = directory.resolve("nothing");
    Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), nothing);
    for (Path there : List.of(file, dangling)) {
      assertThatThrownBy(() -> OwnFiles.write(there, BYTES))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(file).hasContent("precious");
    assertThat(nothing).doesNotExist();
  }

  @Test
  void temporaryDirectory_isTheOwnersAloneAndAnotherEachTime() throws IOException {
    Path[] made = {OwnFiles.temporaryDirectory(), OwnFiles.temporaryDirectory()};
    assertThat(Arrays.asList(made)).doesNotHaveDuplicates();
    for (Path one : made) {
      assertThat(mode(one)).isEqualTo("rwx------");
      Files.delete(one);
    }
  }
}
