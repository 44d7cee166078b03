// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageStartTest {
  private static final String URL = "http://127.0.0.1:9797";
  private static final String TOKEN = "00112233445566778899aabbccddeeff";

  @TempDir private Path directory;

  private final List<String> said = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private void start(PageAccessMode page, PageControl control, String file) {
    new PageStart(file, said::add, problems::add)
        .bound(URL, new PageAccess(page, control, PageAccessMode.OPEN, TOKEN));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void bound_noFileNamed_tokenIsInTheLineAndInAFileOfTheOwner() throws IOException {
    start(PageAccessMode.OPEN, PageControl.TOKEN, "");
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).startsWith("page at " + URL + "/#token=" + TOKEN + " (token in /");
    Path file = Path.of(said.get(0).replaceAll(".*token in (.*)\\)", "$1"));
    assertThat(file).hasContent(TOKEN);
    assertThat(mode(file)).isEqualTo("rw-------");
    Path directory = Objects.requireNonNull(file.getParent());
    assertThat(mode(directory)).isEqualTo("rwx------");
    Files.delete(file);
    Files.delete(directory);
  }

  @Test
  void bound_fileNamed_hasTheTokenAlone() throws IOException {
    Path other = Files.writeString(directory.resolve("precious"), "precious");
    Path file = Files.createSymbolicLink(directory.resolve("token"), other);
    start(PageAccessMode.TOKEN, PageControl.OFF, file.toString());
    assertThat(said).containsExactly("page at " + URL + "/ (token in " + file + ")");
    assertThat(other).hasContent("precious");
    assertThat(file).hasContent(TOKEN);
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(directory).isDirectoryNotContaining("glob:**/token.*");
  }

  @Test
  void bound_fileCannotBe_isToldAndThePageCanBeUsed() {
    start(PageAccessMode.OPEN, PageControl.TOKEN, directory.resolve("no/token").toString());
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).startsWith("deimos.page.token-file=" + directory);
    assertThat(said).containsExactly("page at " + URL + "/#token=" + TOKEN);
  }

  @Test
  void bound_tokenOpensNothing_isNowhere() {
    start(PageAccessMode.OPEN, PageControl.OFF, "");
    start(PageAccessMode.OFF, PageControl.TOKEN, "");
    assertThat(said).containsExactly("page at " + URL, "metrics at " + URL + "/metrics");
    assertThat(problems).isEmpty();
  }
}
