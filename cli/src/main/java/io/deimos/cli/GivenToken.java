// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a command has the page's token from: a file or the environment, which no other user can
 * read. A command line everybody on the machine can.
 */
final class GivenToken {
  private static final String IN_ADDRESS = "#token=";
  private static final String VARIABLE = "DEIMOS_PAGE_TOKEN";
  private static final int MAX_BYTES = 1024;

  private GivenToken() {}

  /**
   * The page that a command asks. Warns if the token is on the command line.
   *
   * @throws Failure that says what to mend
   */
  static PageClient page(Call call) throws Failure {
    String address = call.value(Command.PAGE);
    String file = call.option(Command.TOKEN_FILE);
    int at = address.indexOf(IN_ADDRESS);
    if (at < 0) {
      return new PageClient(
          address, file == null ? call.environment().getOrDefault(VARIABLE, "") : read(file));
    }
    if (file != null) {
      throw Failure.misuse(Command.TOKEN_FILE + " and a token in the address: give one of them");
    }
    call.err()
        .println(
            "deimos: every user of this machine can read a token on the command line; give it by "
                + Command.TOKEN_FILE
                + " or "
                + VARIABLE);
    return new PageClient(address, decoded(address.substring(at + IN_ADDRESS.length())));
  }

  /** As an address has it: browsers write some characters as {@code %3C}. */
  private static String decoded(String token) {
    try {
      return URLDecoder.decode(token.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return token; // with a % of its own
    }
  }

  private static String read(String file) throws Failure {
    String token;
    try {
      Path path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        throw new IOException("it is too large");
      }
      token = Files.readString(path, StandardCharsets.ISO_8859_1).trim();
    } catch (IOException | RuntimeException e) {
      throw Failure.misuse(Command.TOKEN_FILE + " " + file + ": no token from there (" + e + ")");
    }
    if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw Failure.misuse(
          Command.TOKEN_FILE + " " + file + ": it has no token, which is one word");
    }
    return token;
  }
}
