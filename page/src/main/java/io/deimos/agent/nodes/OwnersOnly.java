// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * A file with a secret in it is read only if nobody but its owner can, or if whoever runs the
 * container has put it there: Docker mounts secrets with mode 0444 and Kubernetes with 0440 or
 * 0644, and nobody inside can change that.
 */
final class OwnersOnly {
  private static final Set<PosixFilePermission> OWNERS =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private OwnersOnly() {}

  /**
   * Looks at the file's mode, where there are modes and somebody inside can change them.
   *
   * @throws IOException that says what to do
   */
  static void check(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && !OWNERS.containsAll(Files.getPosixFilePermissions(file))
        && !isMounted(file.toRealPath())) {
      throw new IOException("others may read it; chmod 600 it");
    }
  }

  /**
   * Whether it is mounted as containers get secrets: read-only, and in memory or by itself. Other
   * read-only directories are for all users, such as a store of packages.
   */
  private static boolean isMounted(Path file) throws IOException {
    FileStore store = Files.getFileStore(file);
    return store.isReadOnly()
        && (IN_MEMORY.contains(store.type())
            || !store.equals(Files.getFileStore(file.resolveSibling("."))));
  }
}
