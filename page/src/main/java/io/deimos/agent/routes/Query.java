// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.log.Printable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of a request; of one given twice the last counts, unless all are asked for. */
public final class Query {
  private final Map<String, List<String>> values = new HashMap<>();

  private Query() {}

  public static Query of(@Nullable String raw) {
    Query query = new Query();
    for (String pair : (raw == null ? "" : raw).split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query
            .values
            .computeIfAbsent(decode(pair.substring(0, equals)), any -> new ArrayList<>())
            .add(decode(pair.substring(equals + 1)));
      }
    }
    return query;
  }

  private static String decode(String encoded) {
    try {
      return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("not URL-encoded: " + Printable.shortLine(encoded));
    }
  }

  /** The values of the parameters that are given. */
  public Set<String> names() {
    return values.keySet();
  }

  public String text(String name) {
    List<String> all = texts(name);
    return all.isEmpty() ? "" : all.get(all.size() - 1);
  }

  /** All values of one that may be given more than once, in the order in which they were. */
  List<String> texts(String name) {
    return values.getOrDefault(name, List.of());
  }

  public boolean flag(String name) {
    String value = text(name);
    if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
      throw new BadRequest(name + "=" + Printable.shortLine(value) + ": must be true or false");
    }
    return value.equals("true");
  }

  public int number(String name, int otherwise, int least, int most) {
    return text(name).isEmpty() ? otherwise : (int) whole(name, least, most);
  }

  /** A whole number, which must be there. */
  long whole(String name, long least, long most) {
    String value = text(name);
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new BadRequest(
        name
            + "="
            + Printable.shortLine(value)
            + ": must be a whole number in ["
            + least
            + ", "
            + most
            + "]");
  }
}
