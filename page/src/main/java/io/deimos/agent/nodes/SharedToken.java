// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The token that a page and those who join it from other machines both know. It comes from a file
 * that only its owner may read, or from the environment, and is never a setting: settings are
 * shown.
 */
public final class SharedToken {
  /** The variable that has it. */
  public static final String VARIABLE = "DEIMOS_PAGE_SHARED_TOKEN";

  private static final String KEY = "deimos.page.shared-token-file=";
  private static final int LEAST_CHARS = 32;
  private static final int MAX_CHARS = 512;

  private SharedToken() {}

  /**
   * The token, or the empty text if none is given.
   *
   * @param file as the setting names it; empty if it does not
   * @throws IOException that says what to mend
   */
  public static String of(String file, Map<String, String> environment) throws IOException {
    String given = environment.getOrDefault(VARIABLE, "");
    if (file.isEmpty()) {
      return given.isEmpty() ? "" : checked(VARIABLE, given);
    }
    String token;
    try {
      Path path = Path.of(file);
      OwnersOnly.check(path);
      if (Files.size(path) > 2 * MAX_CHARS) {
        throw new IOException("it is too large");
      }
      token = Files.readString(path, StandardCharsets.ISO_8859_1).strip();
    } catch (IOException | RuntimeException e) {
      throw new IOException(KEY + file + ": no token from there (" + e.getMessage() + ")", e);
    }
    return checked(KEY + file, token);
  }

  private static String checked(String where, String token) throws IOException {
    if (token.length() < LEAST_CHARS
        || token.length() > MAX_CHARS
        || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IOException(
          where
              + ": a token has "
              + LEAST_CHARS
              + " to "
              + MAX_CHARS
              + " printable characters without spaces. Make one with openssl rand -hex 32");
    }
    return token;
  }
}
