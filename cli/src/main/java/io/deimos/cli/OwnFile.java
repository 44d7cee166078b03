// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** A file that no other user may read: what a page has told to somebody with its token. */
final class OwnFile {
  private OwnFile() {}

  /**
   * The file with a name.
   *
   * @throws Failure if no file can have this name
   */
  static Path named(String name) throws Failure {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.misuse(name + " cannot be the name of a file");
    }
  }

  /**
   * A file that is not there.
   *
   * @throws Failure if something has this name
   */
  static Path absent(String name) throws Failure {
    Path file = named(name);
    if (isThere(file)) {
      throw Failure.of(file + " is there already; name another file");
    }
    return file;
  }

  /** Whether something is there, a link that leads nowhere as well. */
  private static boolean isThere(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Makes the file whole or not at all; never through a link. */
  static void write(InputStream from, Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
    Set<OpenOption> how =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      try (OutputStream out =
          Channels.newOutputStream(Files.newByteChannel(next, how, ownersOnly(file)))) {
        from.transferTo(out);
      }
      if (isThere(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(next);
      throw e;
    }
  }

  private static FileAttribute<?>[] ownersOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
