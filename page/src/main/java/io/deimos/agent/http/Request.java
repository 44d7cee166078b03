// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request, as HTTP/1.1 writes it. Immutable.
 *
 * @param path before the question mark, as it was sent
 * @param query what comes after it, or null
 * @param headers by name in lower case, each in the order it was sent
 * @param body empty for most
 */
public record Request(
    String method,
    String path,
    @Nullable String query,
    Map<String, List<String>> headers,
    Body body) {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

  /**
   * Reads a request that must have no body.
   *
   * @param head up to and without the empty line
   * @throws Malformed if it is not a request that can be answered
   */
  public static Request parse(String head) throws Malformed {
    Request request = head(head);
    if (request.bodyLength() != 0) {
      throw new Malformed(413, "requests with a body are not taken");
    }
    return request;
  }

  /**
   * Reads a request's head; its body may follow.
   *
   * @param head up to and without the empty line
   * @throws Malformed if it is not a request that can be answered
   */
  static Request head(String head) throws Malformed {
    String[] lines = head.split("\r\n", -1);
    String[] first = lines[0].split(" ", -1);
    if (first.length != 3 || !first[0].matches(TOKEN) || !first[2].matches("HTTP/1\\.[01]")) {
      throw new Malformed(400, "this is no request line of HTTP/1.1");
    }
    if (!first[1].startsWith("/")) {
      throw new Malformed(400, "the request's target must be a path");
    }
    Map<String, List<String>> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 1
          || !lines[i].substring(0, colon).matches(TOKEN)
          || lines[i].chars().anyMatch(c -> c < ' ' && c != '\t')) {
        throw new Malformed(400, "this is no header of HTTP/1.1");
      }
      headers
          .computeIfAbsent(
              lines[i].substring(0, colon).toLowerCase(Locale.ROOT), any -> new ArrayList<>())
          .add(lines[i].substring(colon + 1).strip());
    }
    return new Request(first[0], path(first[1]), query(first[1]), headers, Body.NONE);
  }

  Request with(Body whole) {
    return new Request(method, path, query, headers, whole);
  }

  /** How long the body is that follows; negative if it comes in chunks. */
  long bodyLength() throws Malformed {
    List<String> codings = all("transfer-encoding");
    List<String> lengths = all("content-length");
    if (codings.isEmpty()) {
      if (lengths.isEmpty()) {
        return 0;
      }
      String length = lengths.get(0);
      if (lengths.stream().distinct().count() == 1 && length.matches("[0-9]{1,18}")) {
        return Long.parseLong(length);
      }
    } else if (lengths.isEmpty()
        && codings.size() == 1
        && codings.get(0).equalsIgnoreCase("chunked")) {
      return -1;
    }
    throw new Malformed(413, "where the body ends is not clear");
  }

  /** The part before the question mark. */
  public static String path(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  private static @Nullable String query(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? null : target.substring(mark + 1);
  }

  /**
   * All values of a header.
   *
   * @param name in lower case
   */
  public List<String> all(String name) {
    return headers.getOrDefault(name, List.of());
  }

  /** The only value of a header, or null if it is missing or given more than once. */
  public @Nullable String only(String name) {
    List<String> values = all(name);
    return values.size() == 1 ? values.get(0) : null;
  }

  public boolean isRead() {
    return method.equals("GET") || method.equals("HEAD");
  }

  /** A text that is no request, and the status to answer it with. */
  public static final class Malformed extends Exception {
    /** The status of a request that may be sent again. */
    public static final int BUSY = 503;

    private static final long serialVersionUID = 1;
    private final int status;

    public Malformed(int status, String said) {
      super(said);
      this.status = status;
    }

    /** For a request that there is no memory for now. */
    public static Malformed noRoom() {
      return new Malformed(BUSY, "other requests take all the room; send this again");
    }

    public int status() {
      return status;
    }

    public String said() {
      return String.valueOf(getMessage());
    }
  }
}
