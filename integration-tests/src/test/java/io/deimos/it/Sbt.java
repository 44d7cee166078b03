// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * sbt with a project of the application in {@code frameworks}. Its launcher is Maven's download; as
 * always, that fetches the rest of sbt and keeps it in the home directory.
 */
final class Sbt {
  private static final Path PROJECT = Layout.root().resolve("integration-tests/sbt");
  private static final Path SOURCES =
      Layout.root().resolve("integration-tests/src/test/java/frameworks");

  private final Path directory;

  private Sbt(Path directory) {
    this.directory = directory;
  }

  /**
   * A copy of the project, with its sources, that nobody else writes to. The next run in it finds
   * the build and the sources compiled, as a user's does.
   */
  static Sbt in(Path directory) throws IOException {
    Sbt sbt = new Sbt(directory.resolve("sbt"));
    if (Files.exists(sbt.directory)) {
      return sbt;
    }
    try (Stream<Path> files = Files.walk(PROJECT)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sbt.copy(file, PROJECT.relativize(file).toString());
      }
    }
    for (String source : List.of("Application.java", "UntilFile.java")) {
      sbt.copy(SOURCES.resolve(source), "src/main/java/frameworks/" + source);
    }
    return sbt;
  }

  private void copy(Path file, String to) throws IOException {
    Path copy = directory.resolve(to);
    Files.createDirectories(copy.getParent());
    Files.copy(file, copy);
  }

  /** Has a JVM run sbt's commands one after another. */
  AgentJvm.Builder runs(AgentJvm.Builder jvm, String... commands) {
    List<String> arguments = new ArrayList<>(List.of("-jar", Layout.sbtLauncher().toString()));
    arguments.addAll(List.of(commands));
    return jvm.classPath(List.of())
        .directory(directory)
        .property("sbt.override.build.repos", "true")
        .property("sbt.repository.config", directory.resolve("repositories").toString())
        .property("sbt.global.base", directory.resolve("global").toString())
        .property("sbt.server.autostart", "false")
        .property("sbt.supershell", "false")
        .property("sbt.color", "false")
        .property("pekko.version", Layout.pekkoVersion())
        .runs(arguments.toArray(String[]::new));
  }
}
