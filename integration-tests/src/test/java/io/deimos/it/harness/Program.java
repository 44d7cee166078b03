// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A program beside the JVMs under test that has ended by itself, and what it has said. */
public record Program(int code, String said) {
  public static Program run(String... command) {
    return run(new ProcessBuilder(command));
  }

  public static Program run(ProcessBuilder program) {
    try {
      Process process = program.redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Program(process.waitFor(), said);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + program.command(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while " + program.command() + " ran", e);
    }
  }

  /** A command of {@code deimos.jar}, not yet started. */
  public static ProcessBuilder deimos(Jdk jdk, String... arguments) {
    List<String> command =
        new ArrayList<>(List.of(jdk.java().toString(), "-jar", Layout.deimos().toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** The output of one that must succeed. */
  public String succeeds() {
    assertThat(code).as(said).isZero();
    return said;
  }
}
