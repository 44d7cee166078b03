// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code dump FILE}: saves all that a page knows; {@code open FILE}: shows it again. */
final class Dumps {
  private Dumps() {}

  static void save(Call call) throws IOException {
    Path file = OwnFile.absent(call.words().get(0));
    GivenToken.page(call).save("/api/v1/dump", file);
    call.out()
        .println(
            file
                + ": "
                + Files.size(file)
                + " bytes. To look at it: "
                + Command.JAR
                + " open "
                + file);
  }

  static void open(Call call) throws IOException {
    Path file = OwnFile.named(call.words().get(0));
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw Failure.of(file + " is no file that can be read");
    }
    try (DumpServer server = new DumpServer(file, 0)) {
      call.out().println("deimos: dump at " + server.url() + " (end with Ctrl-C)");
      call.out().flush();
      server.run();
    } catch (IOException e) {
      throw Failure.of(file + " cannot be shown (" + e + ")");
    }
  }
}
