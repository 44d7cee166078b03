// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

/**
 * Folds the variable parts of an actor's path, so that what is left has few values: {@code
 * pekko://shop/user/orders/order-4711} becomes {@code /user/orders/order-*}. Variable are what
 * Pekko names itself ({@code $a}), runs of digits, long words of hexadecimal digits, and all below
 * a type of sharded entities.
 */
final class PathTemplate {
  private static final String SHARDING = "/system/sharding/";
  private static final int LEAST_HEX = 8;

  private PathTemplate() {}

  static String of(String path) {
    String local = local(path);
    StringBuilder folded = new StringBuilder(local.length());
    int kept = shardingType(local);
    boolean sharded = kept > 0;
    folded.append(local, 0, kept);
    for (int from = kept; from < local.length(); ) {
      int next = local.indexOf('/', from + 1);
      int to = next < 0 ? local.length() : next;
      if (sharded) {
        folded.append("/*");
      } else {
        element(local, from, to, folded);
      }
      from = to;
    }
    return folded.toString();
  }

  /** The path without {@code pekko://system@host:port}. */
  private static String local(String path) {
    int scheme = path.indexOf("://");
    if (scheme < 0) {
      return path;
    }
    int slash = path.indexOf('/', scheme + 3);
    return slash < 0 ? "/" : path.substring(slash);
  }

  /** Where the type's name ends in the path of a shard or an entity; 0 for any other path. */
  private static int shardingType(String local) {
    if (!local.startsWith(SHARDING)) {
      return 0;
    }
    int end = local.indexOf('/', SHARDING.length());
    return end < 0 ? local.length() : end;
  }

  private static void element(String path, int from, int to, StringBuilder folded) {
    int at = from;
    if (path.charAt(at) == '/') {
      folded.append('/');
      at++;
    }
    if (at < to && path.charAt(at) == '$') {
      folded.append('*');
      return;
    }
    while (at < to) {
      int end = wordEnd(path, at, to);
      if (end == at) {
        folded.append(path.charAt(at++));
      } else {
        word(path, at, end, folded);
        at = end;
      }
    }
  }

  private static int wordEnd(String path, int from, int to) {
    int at = from;
    while (at < to && Character.isLetterOrDigit(path.charAt(at))) {
      at++;
    }
    return at;
  }

  private static void word(String path, int from, int to, StringBuilder folded) {
    if (to - from >= LEAST_HEX && isHex(path, from, to)) {
      star(folded);
      return;
    }
    for (int at = from; at < to; at++) {
      char c = path.charAt(at);
      if (Character.isDigit(c)) {
        star(folded);
      } else {
        folded.append(c);
      }
    }
  }

  /** A hexadecimal number: at least one digit, so that no English word is taken for one. */
  private static boolean isHex(String path, int from, int to) {
    boolean digit = false;
    for (int at = from; at < to; at++) {
      char c = path.charAt(at);
      if (Character.digit(c, 16) < 0) {
        return false;
      }
      digit |= c <= '9';
    }
    return digit;
  }

  /** One star for a run of variable parts, the dashes of a UUID included. */
  private static void star(StringBuilder folded) {
    int length = folded.length();
    if (length > 1 && folded.charAt(length - 1) == '-' && folded.charAt(length - 2) == '*') {
      folded.setLength(length - 1);
    } else if (length == 0 || folded.charAt(length - 1) != '*') {
      folded.append('*');
    }
  }
}
