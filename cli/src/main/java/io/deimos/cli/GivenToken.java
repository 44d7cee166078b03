// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Where a command has the page's token from: a file or the environment, which no other user can
 * read. A command line everybody on the machine can.
 */
final class GivenToken {
  static final String USAGE =
      "  --token-file F   the file with the page's token, if it needs one; or the variable"
          + " DEIMOS_PAGE_TOKEN\n"
          + "                   has the token";

  private static final String OPTION = "--token-file";
  private static final String PAGE = "--page";
  private static final String IN_ADDRESS = "#token=";
  private static final String VARIABLE = "DEIMOS_PAGE_TOKEN";
  private static final int MAX_BYTES = 1024;

  private GivenToken() {}

  /**
   * A command's arguments with the token in the page's address, and without the option.
   *
   * @param page the address if none is given
   * @param err gets a warning if the token is on the command line
   * @throws IOException that says what to mend
   */
  static String[] into(
      String[] arguments, String page, Map<String, String> environment, PrintStream err)
      throws IOException {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    String token = environment.getOrDefault(VARIABLE, "");
    int option = all.indexOf(OPTION);
    if (option >= 0) {
      if (option + 1 == all.size()) {
        throw new IOException(OPTION + " needs a file");
      }
      token = read(all.remove(option + 1));
      all.remove(option);
    }
    int at = all.indexOf(PAGE) + 1;
    boolean named = at > 0 && at < all.size();
    if (named && all.get(at).contains(IN_ADDRESS)) {
      if (option >= 0) {
        throw new IOException(OPTION + " and a token in the address: give one of them");
      }
      err.println(
          "deimos: every user of this machine can read a token on the command line; give it by "
              + OPTION
              + " or "
              + VARIABLE);
    } else if (!token.isEmpty() && named) {
      all.set(at, with(all.get(at), token));
    } else if (!token.isEmpty() && at == 0) {
      all.add(PAGE);
      all.add(with(page, token));
    }
    return all.toArray(new String[0]);
  }

  private static String with(String address, String token) {
    return address.replaceAll("#.*", "") + IN_ADDRESS + token.replace("%", "%25");
  }

  /** As an address has it: browsers write some characters as {@code %3C}. */
  static String decoded(String token) {
    try {
      return URLDecoder.decode(token.replace("+", "%2B"), "UTF-8");
    } catch (IllegalArgumentException | UnsupportedEncodingException e) {
      return token; // with a % of its own
    }
  }

  private static String read(String file) throws IOException {
    String token;
    try {
      Path path = Paths.get(file);
      if (Files.size(path) > MAX_BYTES) {
        throw new IOException("it is too large");
      }
      token = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).trim();
    } catch (IOException | RuntimeException e) {
      throw new IOException(OPTION + " " + file + ": no token from there (" + e + ")", e);
    }
    if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IOException(OPTION + " " + file + ": it has no token, which is one word");
    }
    return token;
  }
}
