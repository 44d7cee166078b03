// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import io.deimos.agent.bootstrap.OwnFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How two processes prove to each other that they belong to the same user: both can read a file of
 * mode 0600 that the serving one has made. The secret in it is never sent; each side sends a digest
 * of it with numbers that both have chosen, and the serving side goes first. So a stranger on the
 * port learns nothing, whichever file it names.
 *
 * <p>Between machines the secret is a token that the user has given to both, and TLS says who
 * serves.
 */
final class LinkSecret {
  private static final String NAME = "link";
  private static final int BYTES = 32;

  /** The length of a proof, in hexadecimal digits: HMAC-SHA256 has 32 bytes. */
  static final int PROOF_CHARS = 64;

  /** A directory as {@link OwnFiles} makes one, and the file in it. */
  private static final Pattern PLACE = Pattern.compile("deimos-[0-9]{1,20}[/\\\\]" + NAME);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final @Nullable Path file;
  private final String secret;

  LinkSecret(@Nullable Path file, String secret) {
    this.file = file;
    this.secret = secret;
  }

  /** A new one, in a file that goes when the JVM ends. */
  static LinkSecret make() throws IOException {
    Path file = OwnFiles.temporaryDirectory().resolve(NAME);
    String secret = random();
    OwnFiles.write(file, secret.getBytes(StandardCharsets.US_ASCII));
    file.toFile().deleteOnExit();
    return new LinkSecret(file.toAbsolutePath(), secret);
  }

  /** A token that both sides were given. */
  static LinkSecret shared(String token) {
    return new LinkSecret(null, token);
  }

  /**
   * That of another process.
   *
   * @throws IOException if no process of the same user has made this file for that
   */
  static LinkSecret read(String named, LinkSecret own) throws IOException {
    Path mine = own.file;
    if (mine == null || !isPlace(named, mine.toString())) {
      throw new IOException("no place where a process of this user has its secret");
    }
    try {
      Path file = mine.getFileSystem().getPath(named);
      Path directory = file.getParent();
      if (directory == null
          || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          || Files.size(file) != 2 * BYTES
          || !isOwn(directory, mine, "rwx------")
          || !isOwn(file, mine, "rw-------")) {
        throw new IOException("no file of a process of this user");
      }
      String secret = Files.readString(file, StandardCharsets.US_ASCII);
      if (!secret.matches("[0-9a-f]{64}")) {
        throw new IOException("no secret of a page");
      }
      return new LinkSecret(file, secret);
    } catch (InvalidPathException e) {
      throw new IOException("no path", e);
    }
  }

  /**
   * Whether a name is one beside this process's own file. A stranger may have said it, so it is
   * compared as a text: opening another machine's name (UNC), or one that mounts something, would
   * be enough to tell that machine who the user is.
   */
  private static boolean isPlace(String named, String mine) {
    int begin = mine.lastIndexOf("deimos-");
    return named.startsWith(mine.substring(0, begin))
        && PLACE.matcher(named.substring(begin)).matches();
  }

  private static boolean isOwn(Path file, Path mine, String mode) throws IOException {
    LinkOption noLinks = LinkOption.NOFOLLOW_LINKS;
    boolean hasModes = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return Files.getOwner(file, noLinks).equals(Files.getOwner(mine, noLinks))
        && (!hasModes
            || Files.getPosixFilePermissions(file, noLinks)
                .equals(PosixFilePermissions.fromString(mode)));
  }

  /** Where the other side finds it, or {@link Handshake#SHARED}. */
  String place() {
    return file == null ? Handshake.SHARED : file.toString();
  }

  /** A number that nobody can guess, as 64 hexadecimal digits. */
  static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * A proof that only somebody who knows the secret can make.
   *
   * @param role {@code serves} or {@code joins}
   * @param port the port that was dialled, so that nobody can pass the proof on from another one;
   *     of no account for a shared token, since a container's port may have another number outside
   */
  String proof(String role, int port, String joinersNumber, String serversNumber) {
    return Hmac.of(secret, role, "" + (file == null ? 0 : port), joinersNumber, serversNumber);
  }

  /** In a time that does not depend on how much of it is right. */
  boolean proves(String given, String role, int port, String joinersNumber, String serversNumber) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8),
        proof(role, port, joinersNumber, serversNumber).getBytes(StandardCharsets.UTF_8));
  }
}
