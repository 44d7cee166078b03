// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A program that has ended, and what it said. */
record Program(int code, String out, String err) {
  static Program run(Path directory, String... command) {
    return run(directory, Map.of(), command);
  }

  static Program run(Path directory, Map<String, String> environment, String... command) {
    try {
      Path out = Files.createTempFile("out", ".txt");
      Path err = Files.createTempFile("err", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      try {
        process.getOutputStream().close();
        int code = process.waitFor();
        return new Program(code, Files.readString(out), Files.readString(err));
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while " + String.join(" ", command) + " ran", e);
    }
  }

  /** The output of one that must succeed. */
  String succeeds() {
    assertThat(code).as("%s%n%s", out, err).isZero();
    return out;
  }
}
