// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The text of a log event, without a call of the application's code: as the library has formatted
 * it for its appenders, or else its pattern, with values of the JDK, and of others the class.
 */
public final class LogText {
  private static final int MAX_CHARS = 1 << 16;
  private static final String PLACE = "{}";

  /** Where events of a class keep their formatted text. */
  private static final class Formatted extends ClassValue<Optional<VarHandle>[]> {
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    protected Optional<VarHandle>[] computeValue(Class<?> type) {
      return new Optional[1];
    }
  }

  private static final Formatted FORMATTED = new Formatted();

  private LogText() {}

  /**
   * The text of an event.
   *
   * @param library sees what the library keeps to itself
   * @param event has the text, if it is formatted
   */
  public static String of(
      Lookup library, Object event, @Nullable String pattern, @Nullable Object @Nullable [] given) {
    if (pattern == null) {
      return classOf(event);
    }
    if (given == null || given.length == 0) {
      return pattern;
    }
    Object text = formatted(library, event);
    return text instanceof String said ? said : filled(pattern, given);
  }

  private static @Nullable Object formatted(Lookup library, Object event) {
    Optional<VarHandle>[] known = FORMATTED.get(event.getClass());
    Optional<VarHandle> handle = known[0];
    if (handle == null) {
      handle = Optional.ofNullable(find(library, event.getClass()));
      known[0] = handle;
    }
    return handle.isEmpty() ? null : handle.get().get(event);
  }

  private static @Nullable VarHandle find(Lookup library, Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        Field field = at.getDeclaredField("formattedMessage");
        return field.getType() == String.class
            ? MethodHandles.privateLookupIn(at, library).unreflectVarHandle(field)
            : null;
      } catch (NoSuchFieldException e) {
        // perhaps above it
      } catch (IllegalAccessException e) {
        return null; // in a module that keeps it closed
      }
    }
    return null;
  }

  /** A pattern with values in its places. */
  public static String filled(String pattern, @Nullable Object[] given) {
    StringBuilder text = new StringBuilder(pattern.length() + 16);
    int at = 0;
    for (int i = 0; i < given.length && text.length() < MAX_CHARS; i++) {
      int place = pattern.indexOf(PLACE, at);
      if (place < 0) {
        break;
      }
      text.append(pattern, at, place).append(plain(given[i]));
      at = place + PLACE.length();
    }
    return text.append(pattern, at, pattern.length()).toString();
  }

  /** The value, if only the JDK's code is needed to write it; else its class. */
  private static String plain(@Nullable Object value) {
    if (value == null
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Character
        || (value instanceof Number && isOfJdk(value))
        || (value instanceof TemporalAccessor && isOfJdk(value))
        || value instanceof Duration
        || value instanceof UUID) {
      return String.valueOf(value);
    }
    return classOf(value);
  }

  private static String classOf(Object value) {
    return "(" + value.getClass().getName() + ")";
  }

  private static boolean isOfJdk(Object value) {
    return value.getClass().getClassLoader() == null;
  }
}
