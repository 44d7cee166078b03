// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** {@code dump FILE}: saves all that a page knows; {@code open FILE}: shows it again. */
final class DumpCommands {
  static final String USAGES =
      "       java -jar deimos.jar dump FILE [--page URL]   saves all that the page knows\n"
          + "       java -jar deimos.jar open FILE     shows what was saved\n";

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  DumpCommands(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  static boolean are(String command) {
    return command.equals("dump") || command.equals("open");
  }

  /**
   * Runs one of them; returns the exit code.
   *
   * @param page what is asked if no option says otherwise
   */
  int run(String page, String... arguments) {
    boolean dump = arguments[0].equals("dump");
    boolean paged = dump && arguments.length == 4 && arguments[2].equals("--page");
    if (arguments.length != 2 && !paged) {
      err.println(
          "deimos: " + arguments[0] + " needs a file" + (dump ? ", and takes --page URL" : ""));
      return MISUSED;
    }
    Path file = Paths.get(arguments[1]);
    return dump ? dump(file, paged ? arguments[3] : page) : open(file);
  }

  private int dump(Path file, String page) {
    if (OwnFile.isThere(file)) {
      err.println("deimos: " + file + " is there already; name another file");
      return FAILED;
    }
    try {
      String refused = PageClient.of(page).save("/api/v1/dump", file);
      if (refused != null) {
        err.println("deimos: " + refused);
        return FAILED;
      }
      out.println(
          file
              + ": "
              + Files.size(file)
              + " bytes. To look at it: java -jar deimos.jar open "
              + file);
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      err.println(
          "deimos: no dump from "
              + page.replaceAll("#.*", "")
              + " into "
              + file
              + " ("
              + why(e)
              + ")");
      return FAILED;
    }
  }

  private static @Nullable String why(Exception e) {
    return e instanceof PageClient.Unproven ? e.getMessage() : e.toString();
  }

  private int open(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      err.println("deimos: " + file + " is no file that can be read");
      return FAILED;
    }
    try (DumpServer server = new DumpServer(file, 0)) {
      out.println("deimos: dump at " + server.url() + " (end with Ctrl-C)");
      out.flush();
      server.run();
      return 0;
    } catch (IOException e) {
      err.println("deimos: " + file + " cannot be shown (" + e + ")");
      return FAILED;
    }
  }
}
