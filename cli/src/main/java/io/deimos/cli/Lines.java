// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints answers by templates.
 *
 * <p>{@code {a.b|c|'d'}} is a field of an object, another one, or a text, whichever is known first.
 * A list has the fields {@code size}, {@code last} and {@code sum}. {@code {id@}} is the name that
 * {@link #names} has for it. After a colon follow width, decimals and form: {@code {wait:8ns}},
 * {@code {rate:-6.1}}.
 *
 * <p>Brackets enclose what is left out if a field in it is not known, or if all brackets in it are
 * left out. {@code {+n}} counts as known if it is above zero; {@code {?yes}} if it is neither false
 * nor zero, and prints nothing; {@code {#n}} is 0 if it is not known. Nothing is printed for a line
 * that has nothing left.
 */
final class Lines {
  private static final Pattern FIELD =
      Pattern.compile("([+?#]?)([^:]+)(?::(-?\\d+)?(?:\\.(\\d))?([a-zA-Z%]*))?");
  private static final String UNKNOWN = "-";

  /** The names to print in place of an answer's ids, such as those of processes. */
  final Map<String, String> names = new HashMap<>();

  private final PrintStream out;

  Lines(PrintStream out) {
    this.out = out;
  }

  void text(String line) {
    out.println(line);
  }

  /** Prints one object. */
  void of(Json object, String template) {
    template
        .lines()
        .map(line -> new Line(line, object).filled())
        .filter(line -> !line.isEmpty())
        .forEach(out::println);
  }

  /** One line, as {@link #of} prints it. */
  String filled(Json object, String template) {
    return new Line(template, object).filled();
  }

  /** Prints each of several objects. */
  void each(List<Json> objects, String template) {
    objects.forEach(object -> of(object, template));
  }

  /**
   * Prints columns as wide as they have to be.
   *
   * @param heads of the columns, with tabs between them
   * @param template for a row, with tabs between the cells
   * @param right how many columns end below each other; the others begin so
   */
  void table(List<Json> objects, String heads, String template, int right) {
    List<String[]> rows = new ArrayList<>();
    rows.add(heads.split("\t", -1));
    objects.forEach(object -> rows.add(new Line(template, object).filled().split("\t", -1)));
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      Arrays.setAll(widths, column -> Math.max(widths[column], row[column].length()));
    }
    for (String[] row : rows) {
      StringJoiner line = new StringJoiner("  ");
      for (int i = 0; i < row.length; i++) {
        line.add(padded(row[i], i < right ? widths[i] : -widths[i]));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String padded(String text, int width) {
    return width == 0 ? text : String.format(Locale.ROOT, "%" + width + "s", text);
  }

  private static String shown(Object value, int decimals, String form) {
    double number = value instanceof Double given ? given : 0;
    return switch (form) {
      case "ns" -> duration(number);
      case "sec" -> fixed(number / 1e9, decimals) + " s";
      case "MiB" -> fixed(number / (1 << 20), 0) + " MiB";
      case "mib" -> fixed(number / (1 << 20), 1);
      case "age" -> age(Math.max(0, Math.round(number)));
      case "any" -> fixed(number, number == Math.rint(number) ? 0 : 3);
      case "%" -> fixed(100 * number, 1) + "%";
      case "share" -> fixed(100 * number, 1) + " %";
      case "s" -> Instant.ofEpochMilli((long) number).truncatedTo(ChronoUnit.SECONDS).toString();
      case "ms" -> Instant.ofEpochMilli((long) number).toString();
      case "words" -> plain(value, " ");
      case "class" -> plain(value).replaceAll("[^,. ]+\\.", "");
      case "nested" -> plain(value).replaceAll("[^,. ]+\\.", "").replace('$', '.');
      default -> value instanceof Double ? fixed(number, decimals) : plain(value);
    };
  }

  private static String plain(@Nullable Object value) {
    return plain(value, ", ");
  }

  /** The text, with a question mark for each character that would steer a terminal. */
  private static String plain(@Nullable Object value, String between) {
    return value instanceof List<?> list
        ? list.stream().map(Lines::plain).collect(Collectors.joining(between))
        : String.valueOf(value).replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
  }

  private static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String duration(double nanos) {
    return nanos < 1e6
        ? fixed(nanos / 1e3, 0) + " us"
        : nanos < 1e9 ? fixed(nanos / 1e6, 1) + " ms" : fixed(nanos / 1e9, 1) + " s";
  }

  private static String age(long seconds) {
    return seconds < 60
        ? seconds + " s"
        : seconds < 3600
            ? seconds / 60 + " min"
            : seconds < 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** A template that is being filled. */
  private final class Line {
    private final String template;
    private final Json object;
    private int at;

    Line(String template, Json object) {
      this.template = template;
      this.object = object;
    }

    String filled() {
      StringBuilder text = new StringBuilder();
      fill(text);
      return text.toString();
    }

    /** Fills up to the end of a bracket; false if it is to be left out. */
    private boolean fill(StringBuilder text) {
      boolean known = true;
      boolean any = false;
      while (at < template.length()) {
        char c = template.charAt(at++);
        if (c == ']') {
          break;
        }
        if (c == '[') {
          StringBuilder inner = new StringBuilder();
          if (fill(inner)) {
            text.append(inner);
            any = true;
          }
        } else if (c == '{') {
          int end = template.indexOf('}', at);
          known &= field(template.substring(at, end), text);
          any = true;
          at = end + 1;
        } else {
          text.append(c);
        }
      }
      return known && any;
    }

    private boolean field(String written, StringBuilder text) {
      Matcher field = FIELD.matcher(written);
      if (!field.matches()) {
        throw new IllegalStateException(written);
      }
      String sign = field.group(1);
      @Nullable Object value = first(field.group(2));
      if (value == null && sign.equals("#")) {
        value = 0.0;
      }
      if (!sign.equals("?")) {
        String width = Objects.requireNonNullElse(field.group(3), "0");
        String decimals = Objects.requireNonNullElse(field.group(4), "0");
        String form = Objects.requireNonNullElse(field.group(5), "");
        String shown = value == null ? UNKNOWN : shown(value, Integer.parseInt(decimals), form);
        text.append(padded(shown, Integer.parseInt(width)));
      }
      return switch (sign) {
        case "+" -> value instanceof Double number && number > 0;
        case "?" -> value != null && !value.equals(false) && !value.equals(0.0);
        default -> value != null;
      };
    }

    /** The first that is known; an empty list is not. */
    private @Nullable Object first(String paths) {
      for (String path : paths.split("\\|", -1)) {
        @Nullable Object value =
            path.startsWith("'") ? path.substring(1, path.length() - 1) : at(path);
        if (value != null && !value.equals(Collections.emptyList())) {
          return value;
        }
      }
      return null;
    }

    private @Nullable Object at(String path) {
      @Nullable Object value = object.fields();
      for (String name : path.replaceAll("@$", "").split("\\.", -1)) {
        value = Json.field(value, name);
      }
      if (!path.endsWith("@")) {
        return value;
      }
      return value instanceof List<?> ids
          ? ids.stream().map(id -> plain(names.get(String.valueOf(id)))).toList()
          : names.get(String.valueOf(value));
    }
  }
}
