// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbtTest {
  @TempDir private Path directory;

  /** Or its failure would be that of an application without sources. */
  @Test
  void in_afterACopyThatFailed_isWhole() throws IOException {
    assertThatThrownBy(() -> Sbt.in(directory, directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    Sbt.in(directory);
    assertThat(directory.resolve("sbt"))
        .isDirectoryContaining("glob:**/build.sbt")
        .isDirectoryRecursivelyContaining("glob:**/frameworks/Application.java")
        .isDirectoryRecursivelyContaining("glob:**/frameworks/UntilFile.java");
  }

  @Test
  void in_again_isTheSameCopy() throws IOException {
    Sbt.in(directory).replace("class Application", "class  Application");
    Sbt.in(directory);
    assertThat(directory.resolve("sbt/src/main/java/frameworks/Application.java"))
        .content()
        .contains("class  Application");
  }
}
