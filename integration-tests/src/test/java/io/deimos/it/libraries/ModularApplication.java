// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Layout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The application in {@code frameworks} as a module with a name, compiled by the JDK's own compiler
 * against Pekko's jars, which are automatic modules.
 */
final class ModularApplication {
  static final String NAME = "frameworks";

  private static final String DECLARATION =
      """
      module frameworks {
        requires ch.qos.logback.classic;
        requires jdk.unsupported;
        requires org.slf4j;
        requires pekko.actor;
        requires pekko.actor.typed;
        requires pekko.slf4j;
        requires scala.library;
        exports frameworks;
      }
      """;

  private ModularApplication() {}

  /** Compiles it; returns the whole module path. */
  static List<Path> in(Path directory) throws IOException {
    List<Path> jars =
        Layout.scenarioClassPath().stream()
            .filter(path -> path.toString().endsWith(".jar"))
            .toList();
    Path declaration = Files.writeString(directory.resolve("module-info.java"), DECLARATION);
    Path compiled = directory.resolve("module");
    Path source =
        Layout.root().resolve("integration-tests/src/test/java/frameworks/Application.java");
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said);
    int failed =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                to,
                to,
                "-d",
                compiled.toString(),
                "--module-path",
                Layout.joined(jars),
                declaration.toString(),
                source.toString());
    assertThat(failed).as(said.toString()).isZero();
    return Stream.concat(Stream.of(compiled), jars.stream()).toList();
  }
}
