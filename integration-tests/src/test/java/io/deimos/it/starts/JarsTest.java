// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everybody who builds the same commit with the same JDK gets the same commit with the same JDK
 * gets the same jars, byte for byte, and can tell what was published from what was not. When a
 * build ran is the one thing that differs from build to build.
 */
class JarsTest {
  @ParameterizedTest
  @ValueSource(strings = {"deimos.jar", "deimos-extension.jar", "deimos-lean.jar"})
  void entries_alsoOfTheJarsInside_doNotSayWhenTheyWereBuilt(String jar) throws IOException {
    Map<LocalDateTime, String> anEntryOfEachTime = new TreeMap<>();
    try (InputStream file = Files.newInputStream(beside(jar))) {
      look(file, jar, anEntryOfEachTime);
    }
    assertThat(anEntryOfEachTime).hasSize(1);
  }

  /** The agent's jar is on the application's class path, which has only what is at its root. */
  @ParameterizedTest
  @ValueSource(strings = {"deimos.jar", "deimos-lean.jar"})
  void commands_andTheirLibrary_areWhereNoApplicationFindsThem(String jar) throws IOException {
    try (ZipFile file = new ZipFile(beside(jar).toFile())) {
      assertThat(file.stream().map(ZipEntry::getName))
          .filteredOn(name -> name.contains("deimos/cli/") || name.contains("picocli"))
          .contains("inst/io/deimos/cli/picocli/CommandLine.classdata")
          .allMatch(name -> name.startsWith("inst/io/deimos/cli/"));
    }
  }

  private static Path beside(String jar) {
    return Layout.deimos().resolveSibling(jar);
  }

  private static void look(InputStream jar, String name, Map<LocalDateTime, String> times)
      throws IOException {
    ZipInputStream in = new ZipInputStream(jar); // of a jar inside, its end is not that of the file
    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      String whole = name + "!/" + entry.getName();
      times.putIfAbsent(entry.getTimeLocal(), whole);
      if (whole.endsWith(".jar")) {
        look(in, whole, times);
      }
    }
  }
}
