// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.deimos.agent.log.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The values that a setting may have. Every type can be read from HOCON and from a plain string, as
 * system properties and environment variables give it.
 *
 * @param <T> the type of the values
 * @param wanted what a value has to be, as it stands in messages and in the documentation
 * @param parse makes a value; throws {@link IllegalArgumentException} or {@link ConfigException} of
 *     what it cannot use
 * @param isTable whether the setting has keys of the user's own below it
 */
public record ValueType<T>(String wanted, Function<ConfigValue, T> parse, boolean isTable) {
  private static final long MEBIBYTE = 1 << 20;

  private ValueType(String wanted, Function<ConfigValue, T> parse) {
    this(wanted, parse, false);
  }

  static ValueType<Boolean> flag() {
    return new ValueType<>(
        "true or false",
        value ->
            switch (text(value).toLowerCase(Locale.ROOT)) {
              case "true", "on", "yes" -> true;
              case "false", "off", "no" -> false;
              default -> throw new IllegalArgumentException();
            });
  }

  static ValueType<Integer> number(int least, int most) {
    return new ValueType<>(
        "a whole number in [" + least + ", " + most + "]", value -> within(value, least, most));
  }

  static ValueType<Integer> powerOfTwo(int least, int most) {
    return new ValueType<>(
        "a power of two in [" + least + ", " + most + "]",
        value -> {
          int number = within(value, least, most);
          return checked(number, Integer.bitCount(number) == 1);
        });
  }

  /** A share, say of traces. */
  static ValueType<Double> ratio() {
    return decimal(0, 1);
  }

  static ValueType<Double> decimal(double least, double most) {
    return new ValueType<>(
        "a number in [" + shown(least) + ", " + shown(most) + "]",
        value -> {
          double number = Double.parseDouble(text(value));
          return checked(number, number >= least && number <= most);
        });
  }

  private static String shown(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /** A length of time with a unit, in HOCON's words. Only zero needs no unit. */
  static ValueType<Duration> duration(Duration least, Duration most) {
    return new ValueType<>(
        "a duration in [" + show(least) + ", " + show(most) + "]",
        value -> {
          String given = text(value);
          if (given.matches("[+-]?[0-9.]+") && !given.matches("[+-]?0+")) {
            throw new IllegalArgumentException(
                "a duration needs a unit"
                    + (given.length() > 9 ? "" : "; write " + given + "s or " + given + "ms"));
          }
          Duration length = ConfigFactory.empty().withValue("v", value).getDuration("v");
          return checked(length, length.compareTo(least) >= 0 && length.compareTo(most) <= 0);
        });
  }

  /** An amount of memory, in HOCON's words; a number without a unit is one of bytes. */
  static ValueType<Long> memory(long least, long most) {
    return new ValueType<>(
        "an amount of memory in [" + show(least) + ", " + show(most) + "]",
        value -> {
          long bytes = ConfigFactory.empty().withValue("v", value).getBytes("v");
          return checked(bytes, bytes >= least && bytes <= most);
        });
  }

  static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
    List<E> all = Arrays.asList(type.getEnumConstants());
    List<String> names = all.stream().map(ValueType::show).toList();
    String last = names.get(names.size() - 1);
    return new ValueType<>(
        String.join(", ", names.subList(0, names.size() - 1)) + " or " + last,
        value -> {
          int at = names.indexOf(text(value).toLowerCase(Locale.ROOT));
          checked(at, at >= 0);
          return all.get(at);
        });
  }

  /** Any text; the empty one stands for none. */
  static ValueType<String> text() {
    return new ValueType<>("a text", ValueType::text);
  }

  /** Several texts: a list of HOCON's, or one string with commas between. */
  static ValueType<List<String>> texts() {
    return new ValueType<>(
        "a list of texts",
        value -> {
          List<?> given =
              value.unwrapped() instanceof List<?> list
                  ? list
                  : Arrays.asList(text(value).split(","));
          List<String> texts = new ArrayList<>();
          for (Object one : given) {
            checked(one, one instanceof String || one instanceof Number);
            texts.add(one.toString().strip());
          }
          texts.removeIf(String::isEmpty);
          return List.copyOf(texts);
        });
  }

  /** Patterns of full class names: several texts such as {@code shop.Order*}. */
  static ValueType<List<String>> classes() {
    return new ValueType<>(
        "a list of class names such as shop.Order*",
        value -> {
          List<String> patterns = texts().parse().apply(value);
          for (String pattern : patterns) {
            if (!pattern.chars().allMatch(ValueType::isOfClassName)) {
              throw new IllegalArgumentException(
                  "\""
                      + Printable.shortLine(pattern)
                      + "\" is no pattern of class names; write full names, a $ before the name of a"
                      + " nested class, and * for any part");
            }
          }
          return patterns;
        });
  }

  /** Characters that compilers put into names; {@code /} stands in those of hidden classes. */
  private static boolean isOfClassName(int c) {
    return Character.isJavaIdentifierPart(c) || ".*-/".indexOf(c) >= 0;
  }

  /** Patterns of an actor's path: several texts such as {@code /user/order-*}. */
  static ValueType<List<String>> paths() {
    return new ValueType<>(
        "a list of paths such as /user/order-*",
        value -> {
          List<String> paths = texts().parse().apply(value);
          paths.forEach(path -> checked(path, path.matches("/[^/]+(/[^/]+)*")));
          return paths;
        });
  }

  /** Findings of {@code check}: several texts such as {@code thread-blocked:/user/legacy*}. */
  static ValueType<List<String>> findings() {
    return new ValueType<>(
        "a list of rules such as mailbox-grows, or with a place such as mailbox-grows:/user/cart*",
        value -> {
          List<String> findings = texts().parse().apply(value);
          findings.forEach(one -> checked(one, one.matches("[a-z][a-z0-9-]*(:.+)?")));
          return findings;
        });
  }

  /** A HOCON object with keys of the user's choice; as one string, what would stand in braces. */
  static ValueType<Config> table() {
    return new ValueType<>(
        "a HOCON object",
        value ->
            value instanceof ConfigObject object
                ? object.toConfig()
                : PlainHocon.parse(text(value)),
        true);
  }

  /**
   * Why a value cannot be used, as it follows on {@code key=value}: in words of the kind's own
   * where it has some.
   */
  public String refusal(RuntimeException thrown) {
    boolean inOwnWords = thrown.getClass() == IllegalArgumentException.class;
    String said = inOwnWords ? thrown.getMessage() : null;
    return said == null ? " is not " + wanted : ": " + said;
  }

  /** A value as it is written in configuration. */
  public static String show(Object value) {
    if (value instanceof Duration duration) {
      long millis = duration.toMillis();
      return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
    if (value instanceof Long bytes) {
      return bytes == 0 || bytes % MEBIBYTE != 0 ? bytes.toString() : bytes / MEBIBYTE + "MiB";
    }
    if (value instanceof Double number) {
      return shown(number);
    }
    if (value instanceof Enum<?> one) {
      return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(one -> '"' + one.toString() + '"')
          .collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Config config) {
      return config.isEmpty() ? "{}" : config.root().render(Rendering.ONE_LINE);
    }
    if (value instanceof String text && text.isEmpty()) {
      return "none";
    }
    return value.toString();
  }

  private static int within(ConfigValue value, int least, int most) {
    int number = Integer.parseInt(text(value));
    return checked(number, number >= least && number <= most);
  }

  private static String text(ConfigValue value) {
    Object plain = value.unwrapped();
    checked(plain, plain instanceof String || plain instanceof Number || plain instanceof Boolean);
    return plain.toString().strip();
  }

  private static <V> V checked(V value, boolean usable) {
    if (!usable) {
      throw new IllegalArgumentException();
    }
    return value;
  }
}
