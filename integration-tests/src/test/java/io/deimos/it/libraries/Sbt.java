// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * sbt with a project: of the application in {@code frameworks}, or of one on Play. Its launcher is
 * Maven's download; as always, that fetches the rest of sbt and keeps it in the home directory.
 */
final class Sbt {
  private static final Path PROJECTS = Layout.root().resolve("integration-tests");
  private static final Path SOURCES =
      Layout.root().resolve("integration-tests/src/test/java/frameworks");

  private final Path directory;

  private Sbt(Path directory) {
    this.directory = directory;
  }

  /**
   * A copy of the project, with its sources, for all rows of a class; they run one after another.
   * The next finds the build and the sources compiled, as a user's does.
   */
  static Sbt in(Path directory) throws IOException {
    return in(directory, SOURCES);
  }

  /** If the copy cannot be made, the next row makes it anew. */
  static Sbt in(Path directory, Path sources) throws IOException {
    Path whole = directory.resolve("sbt");
    if (!Files.exists(whole)) {
      Sbt copy = of("sbt", Files.createTempDirectory(directory, "copy"));
      for (String source : List.of("Application.java", "UntilFile.java")) {
        copy.copy(sources.resolve(source), "src/main/java/frameworks/" + source);
      }
      Files.move(copy.directory, whole, StandardCopyOption.ATOMIC_MOVE);
    }
    return new Sbt(whole);
  }

  /** A copy of the project of an application on Play. */
  static Sbt ofPlay(Path directory) throws IOException {
    return of("play", directory);
  }

  private static Sbt of(String name, Path directory) throws IOException {
    Path project = PROJECTS.resolve(name);
    Sbt sbt = new Sbt(directory.resolve(name));
    try (Stream<Path> files = Files.walk(project)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sbt.copy(file, project.relativize(file).toString());
      }
    }
    return sbt;
  }

  /** Changes all sources at once, as an editor that saves them. */
  void replace(String text, String by) throws IOException {
    Path sources = directory.resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String before = Files.readString(file);
        if (before.contains(text)) {
          Path next = Files.writeString(directory.resolve("next"), before.replace(text, by));
          Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }
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
