// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes one JSON text of {@link Json}'s another, as a JSON Patch (RFC 6902) of {@code add},
 * {@code remove} and {@code replace}. Both texts are read as they are, so that nothing is built of
 * them: a value that has not changed is a comparison of bytes.
 *
 * <p>Elements of an array are compared by their place. If all are objects whose first members
 * differ (a name, an id), and those in both arrays have kept their order, they are compared by that
 * member instead, so that a row more at the beginning is one row more.
 */
final class JsonPatch {
  private static final int MAX_DEPTH = 64;
  private static final byte[] ADD = bytes("{\"op\":\"add\",\"path\":\"");
  private static final byte[] REMOVE = bytes("{\"op\":\"remove\",\"path\":\"");
  private static final byte[] REPLACE = bytes("{\"op\":\"replace\",\"path\":\"");
  private static final byte[] VALUE = bytes("\",\"value\":");

  private final byte[] before;
  private final byte[] after;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringBuilder path = new StringBuilder();

  private JsonPatch(byte[] before, byte[] after) {
    this.before = before;
    this.after = after;
  }

  /**
   * The patch, or null if it would not be shorter than what it makes.
   *
   * @param before one value, as {@link Json} writes it, without blanks
   * @param after likewise
   */
  static byte @Nullable [] between(byte[] before, byte[] after) {
    JsonPatch patch = new JsonPatch(before, after);
    patch.out.write('[');
    boolean whole =
        Arrays.equals(before, after)
            || patch.value(new Slice(0, before.length), new Slice(0, after.length), MAX_DEPTH);
    patch.out.write(']');
    return whole && patch.out.size() < after.length ? patch.out.toByteArray() : null;
  }

  /** A value that has changed; false if it is not worth going on. */
  private boolean value(Slice was, Slice is, int depth) {
    byte kind = after[is.from];
    if (depth > 0 && kind == before[was.from] && (kind == '{' || kind == '[')) {
      List<Member> old = members(before, was, kind == '{');
      List<Member> now = members(after, is, kind == '{');
      return kind == '{' ? object(old, now, depth) : array(old, now, depth);
    }
    return operation(REPLACE, null, is);
  }

  private boolean object(List<Member> old, List<Member> now, int depth) {
    if (!sameNames(old, now)) {
      return unlike(old, now, depth);
    }
    for (int i = 0; i < old.size(); i++) {
      Member member = now.get(i);
      if (!under(text(after, member.name), old.get(i).value, member.value, depth)) {
        return false;
      }
    }
    return true;
  }

  private boolean sameNames(List<Member> old, List<Member> now) {
    if (old.size() != now.size()) {
      return false;
    }
    for (int i = 0; i < old.size(); i++) {
      Slice was = old.get(i).name;
      Slice is = now.get(i).name;
      if (!Arrays.equals(before, was.from, was.to, after, is.from, is.to)) {
        return false;
      }
    }
    return true;
  }

  private boolean unlike(List<Member> old, List<Member> now, int depth) {
    Map<String, Member> were = new HashMap<>();
    old.forEach(member -> were.put(text(before, member.name), member));
    for (Member member : now) {
      Member was = were.remove(text(after, member.name));
      boolean going =
          was == null
              ? operation(ADD, text(after, member.name), member.value)
              : under(text(after, member.name), was.value, member.value, depth);
      if (!going) {
        return false;
      }
    }
    return were.keySet().stream().allMatch(gone -> operation(REMOVE, gone, null));
  }

  private boolean under(String step, Slice was, Slice is, int depth) {
    if (Arrays.equals(before, was.from, was.to, after, is.from, is.to)) {
      return true;
    }
    int length = path.length();
    step(step);
    boolean going = value(was, is, depth - 1);
    path.setLength(length);
    return going;
  }

  private boolean array(List<Member> old, List<Member> now, int depth) {
    List<String> oldKeys = keys(before, old);
    List<String> nowKeys = keys(after, now);
    if (oldKeys != null && nowKeys != null) {
      Set<String> stay = new HashSet<>(oldKeys);
      stay.retainAll(new HashSet<>(nowKeys));
      List<String> oldOrder = oldKeys.stream().filter(stay::contains).toList();
      if (oldOrder.equals(nowKeys.stream().filter(stay::contains).toList())) {
        return byKey(old, oldKeys, now, nowKeys, stay, depth);
      }
    }
    return byPlace(old, now, depth);
  }

  private boolean byKey(
      List<Member> old,
      List<String> oldKeys,
      List<Member> now,
      List<String> nowKeys,
      Set<String> stay,
      int depth) {
    for (int i = old.size() - 1; i >= 0; i--) {
      if (!stay.contains(oldKeys.get(i)) && !operation(REMOVE, Integer.toString(i), null)) {
        return false;
      }
    }
    Map<String, Member> were = new HashMap<>();
    for (int i = 0; i < old.size(); i++) {
      were.put(oldKeys.get(i), old.get(i));
    }
    for (int i = 0; i < now.size(); i++) {
      Slice is = now.get(i).value;
      Member was = were.get(nowKeys.get(i));
      boolean going =
          was == null
              ? operation(ADD, Integer.toString(i), is)
              : under(Integer.toString(i), was.value, is, depth);
      if (!going) {
        return false;
      }
    }
    return true;
  }

  private boolean byPlace(List<Member> old, List<Member> now, int depth) {
    int both = Math.min(old.size(), now.size());
    for (int i = old.size() - 1; i >= both; i--) {
      if (!operation(REMOVE, Integer.toString(i), null)) {
        return false;
      }
    }
    for (int i = 0; i < now.size(); i++) {
      Slice is = now.get(i).value;
      boolean going =
          i < both
              ? under(Integer.toString(i), old.get(i).value, is, depth)
              : operation(ADD, Integer.toString(i), is);
      if (!going) {
        return false;
      }
    }
    return true;
  }

  /** The first member of each element; null if they are no objects, or two have the same. */
  private static @Nullable List<String> keys(byte[] in, List<Member> elements) {
    List<String> keys = new ArrayList<>();
    for (Member element : elements) {
      int from = element.value.from;
      if (in[from] != '{' || in[from + 1] != '"') {
        return null;
      }
      int colon = endOf(in, from + 1);
      keys.add(text(in, new Slice(from + 1, endOf(in, colon + 1))));
    }
    return new HashSet<>(keys).size() == keys.size() ? keys : null;
  }

  /**
   * Adds an operation.
   *
   * @param step what the path goes on with; null for nothing
   * @param value the new value; null if there is none
   * @return whether the patch is still shorter than what it makes
   */
  private boolean operation(byte[] kind, @Nullable String step, @Nullable Slice value) {
    if (out.size() > 1) {
      out.write(',');
    }
    out.writeBytes(kind);
    int length = path.length();
    if (step != null) {
      step(step);
    }
    out.writeBytes(bytes(path.toString()));
    path.setLength(length);
    if (value == null) {
      out.write('"');
    } else {
      out.writeBytes(VALUE);
      out.write(after, value.from, value.to - value.from);
    }
    out.write('}');
    return out.size() < after.length;
  }

  /** A name is in the JSON already with JSON's escapes, and gets those of JSON Pointer. */
  private void step(String name) {
    path.append('/').append(name.replace("~", "~0").replace("/", "~1"));
  }

  /** The members of an object, or the elements of an array, whose names are empty then. */
  private static List<Member> members(byte[] in, Slice of, boolean named) {
    List<Member> members = new ArrayList<>();
    for (int at = of.from + 1; in[at] != '}' && in[at] != ']'; ) {
      Slice name = new Slice(at, at);
      if (named) {
        int end = endOf(in, at);
        name = new Slice(at + 1, end - 1);
        at = end + 1;
      }
      int end = endOf(in, at);
      members.add(new Member(name, new Slice(at, end)));
      at = in[end] == ',' ? end + 1 : end;
    }
    return members;
  }

  /** Where the value that begins here ends. */
  private static int endOf(byte[] in, int from) {
    int depth = 0;
    for (int at = from; at < in.length; at++) {
      switch (in[at]) {
        case '"' -> at = quoteEnd(in, at);
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case ',', ':' -> {
          if (depth == 0) {
            return at;
          }
        }
        default -> {}
      }
      if (depth < 0) {
        return at;
      }
      if (depth == 0 && (in[at] == '"' || in[at] == '}' || in[at] == ']')) {
        return at + 1;
      }
    }
    return in.length;
  }

  private static int quoteEnd(byte[] in, int from) {
    int at = from + 1;
    while (in[at] != '"') {
      at += in[at] == '\\' ? 2 : 1;
    }
    return at;
  }

  private static String text(byte[] in, Slice slice) {
    return new String(in, slice.from, slice.to - slice.from, StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private record Slice(int from, int to) {}

  private record Member(Slice name, Slice value) {}
}
