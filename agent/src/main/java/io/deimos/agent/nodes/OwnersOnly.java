// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** A file with a secret in it is read only if nobody but its owner can. */
final class OwnersOnly {
  private static final Set<PosixFilePermission> OWNERS =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private OwnersOnly() {}

  /**
   * Looks at the file's mode, where there are modes.
   *
   * @throws IOException that says what to do
   */
  static void check(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && !OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException("others may read it; chmod 600 it");
    }
  }
}
