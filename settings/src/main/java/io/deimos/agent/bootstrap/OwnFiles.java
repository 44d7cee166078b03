// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that no other user may read, write or put in our way: permissions are set when the file is
 * made and not after, a file that is there already is not taken, and links are not followed.
 */
public final class OwnFiles {
  private OwnFiles() {}

  /** A new directory of mode 0700, removed when the JVM ends if it is empty then. */
  public static Path temporaryDirectory() throws IOException {
    // Its mode is 0700 wherever there are modes: the JDK makes it so.
    Path directory = Files.createTempDirectory("deimos-");
    directory.toFile().deleteOnExit();
    return directory;
  }

  /** Makes a file of mode 0600. */
  public static void write(Path file, byte[] bytes) throws IOException {
    try (OutputStream out = open(file)) {
      out.write(bytes);
    }
  }

  /** The same, for the caller to write and to close. */
  public static OutputStream open(Path file) throws IOException {
    return Channels.newOutputStream(
        Files.newByteChannel(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            ownerOnly(file)));
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    boolean hasModes =
        file.getFileSystem() == FileSystems.getDefault()
            && FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return hasModes
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
