// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two releases of the same tree, for all tests: a signed one, and afterwards a dry run in another
 * folder of another depth, with another time zone. ImagesTest has the images.
 */
record Made(Clone real, Clone dry, Path keys) {
  static final String KEY = "tester@example.org";

  private static final class Holder {
    static final Made MADE = make();
  }

  static Made once() {
    return Holder.MADE;
  }

  /** The published files. */
  static Path dist() {
    return once().real().directory().resolve("dist");
  }

  /** A file of an artifact in the Maven repository: what follows the version in its name. */
  static Path file(String artifact, String end) {
    return folder(artifact).resolve(artifact + "-" + Clone.VERSION + end);
  }

  static Path repository() {
    return dist().resolve("repository");
  }

  private static Path folder(String artifact) {
    return repository()
        .resolve(Clone.property("group").replace('.', '/'))
        .resolve(artifact)
        .resolve(Clone.VERSION);
  }

  private static Made make() {
    try {
      Path directory = Clone.TARGET.resolve("made");
      if (Files.exists(directory)) {
        delete(directory);
      }
      Files.createDirectories(directory.resolve("another/folder"));
      Path keys = newKey();
      try {
        Clone real = Clone.in(directory.resolve("real"));
        real.release(
                Map.of("GNUPGHOME", keys.toString()), Clone.VERSION, "--no-images", "--key", KEY)
            .succeeds();
        Clone dry =
            real.cloneIn(directory.resolve("another/folder/dry"), "v" + Clone.VERSION + "~1");
        dry.git("tag", "-d", "v" + Clone.VERSION);
        Map<String, String> elsewhere = Map.of("TZ", "Asia/Kolkata", "LC_ALL", "C.UTF-8");
        dry.release(elsewhere, Clone.VERSION, "--no-images", "--dry-run").succeeds();
        return new Made(real, dry, keys);
      } finally {
        // the key stays, for those who verify; its agent goes
        Program.run(keys, "gpgconf", "--homedir", keys.toString(), "--kill", "all");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A key for the test; a path too long for a socket would stop gpg's agent. */
  private static Path newKey() throws IOException {
    Path keys = Files.createTempDirectory("keys");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(keys)));
    Program.run(
            keys,
            Map.of("GNUPGHOME", keys.toString()),
            "gpg",
            "--batch",
            "--passphrase",
            "",
            "--quick-generate-key",
            "Tester <" + KEY + ">",
            "ed25519",
            "sign",
            "never")
        .succeeds();
    return keys;
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(directory).doesNotExist();
  }
}
