// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A clone of this tree as it lies there, with what is not committed yet, as one commit. */
record Clone(Path directory) {
  static final Path ROOT = Path.of(property("root")).toAbsolutePath().normalize();
  static final Path TARGET = Path.of(property("target")).toAbsolutePath();

  /** The version of the next release. */
  static final String VERSION = property("snapshot").replace("-SNAPSHOT", "");

  static String property(String name) {
    return Objects.requireNonNull(
        System.getProperty("release." + name), () -> "run the tests with Maven: release." + name);
  }

  static Clone in(Path directory) throws IOException {
    Clone clone = new Clone(ROOT).cloneIn(directory, "HEAD");
    String changed =
        Program.run(ROOT, "git", "ls-files", "-z", "-dmo", "--exclude-standard").succeeds();
    for (String name : changed.isEmpty() ? new String[0] : changed.split("\0", -1)) {
      Path from = ROOT.resolve(name);
      Path to = directory.resolve(name);
      if (Files.isRegularFile(from)) {
        Files.createDirectories(to.getParent());
        Files.copy(
            from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      } else if (!name.isEmpty() && !Files.exists(from)) {
        Files.deleteIfExists(to);
      }
    }
    Path log = directory.resolve("CHANGELOG.md");
    String text = Files.readString(log);
    if (!text.contains("## [" + VERSION + "]")) {
      // the section that a release needs, for a version that is not ready yet
      String section = "## [" + VERSION + "]\n\nWhat there is.\n";
      int unreleased = text.indexOf("## [Unreleased]\n");
      int at = unreleased < 0 ? text.indexOf("## [") : text.indexOf('\n', unreleased) + 1;
      Files.writeString(log, text.substring(0, at) + "\n" + section + text.substring(at));
    }
    clone.commit();
    return clone;
  }

  /** A clone of this one as of a commit, on a branch, which CI has none of. */
  Clone cloneIn(Path other, String commit) {
    Program.run(directory, "git", "clone", "-q", ".", other.toString()).succeeds();
    Clone clone = new Clone(other);
    clone.git("checkout", "-q", "-B", "releases", commit);
    clone.git("config", "user.name", "Tester");
    clone.git("config", "user.email", "tester@example.org");
    return clone;
  }

  void commit() {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "test: the tree");
  }

  String git(String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "git";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return Program.run(directory, command).succeeds().strip();
  }

  Program release(Map<String, String> environment, String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "./release";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Map<String, String> all = new TreeMap<>(environment);
    return Program.run(directory, all, command);
  }
}
