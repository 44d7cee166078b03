// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Pekko keeps to itself, by the names of its source. scalac may write the name of the
 * class before that of a private member.
 *
 * <p>A member that is found is kept with the class it was asked of, and goes with it.
 */
final class Reflect {
  private static final Members<Field> FIELDS = new Members<>();
  private static final Members<Method> METHODS = new Members<>();

  private Reflect() {}

  /** A field of a class or of one above it. */
  static Field field(Class<?> of, String name) throws NoSuchFieldException {
    Field field = fieldOrNull(of, name);
    if (field == null) {
      throw new NoSuchFieldException(of.getName() + "." + name);
    }
    return field;
  }

  static @Nullable Field fieldOrNull(Class<?> of, String name) {
    return FIELDS.get(of).computeIfAbsent(name, n -> findField(of, n)).orElse(null);
  }

  private static Optional<Field> findField(Class<?> of, String name) {
    for (Class<?> type = of; type != null; type = type.getSuperclass()) {
      String widened = widened(type, name);
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name) || field.getName().equals(widened)) {
          field.setAccessible(true);
          return Optional.of(field);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * A lazy value of Scala's, without making it: null if it has not been made yet. Scala 3 keeps it
   * under another name than Scala 2, and an object of its own there while it is being made.
   */
  static @Nullable Object lazy(Object of, String name) throws ReflectiveOperationException {
    Field scala3 = fieldOrNull(of.getClass(), name + "$lzy1");
    Object value = (scala3 == null ? field(of.getClass(), name) : scala3).get(of);
    return value == null || value.getClass().getName().startsWith("scala.runtime.LazyVals")
        ? null
        : value;
  }

  /** The form of a member: its method is called or, where there is none, its field is read. */
  static Object call(Object on, String name) throws ReflectiveOperationException {
    Class<?> of = on.getClass();
    Method method = METHODS.get(of).computeIfAbsent(name, n -> findMethod(of, n)).orElse(null);
    if (method != null) {
      return Objects.requireNonNull(method.invoke(on));
    }
    Field field = fieldOrNull(of, name); // Scala 3 makes no methods for private ones
    if (field == null) {
      throw new NoSuchMethodException(of.getName() + "." + name);
    }
    return Objects.requireNonNull(field.get(on));
  }

  private static Optional<Method> findMethod(Class<?> of, String name) {
    for (Class<?> type = of; type != null; type = type.getSuperclass()) {
      String widened = widened(type, name);
      for (Method method : type.getDeclaredMethods()) {
        boolean named = method.getName().equals(name) || method.getName().equals(widened);
        if (named && method.getParameterCount() == 0) {
          method.setAccessible(true);
          return Optional.of(method);
        }
      }
    }
    return Optional.empty();
  }

  private static String widened(Class<?> type, String name) {
    return type.getName().replace('.', '$') + "$$" + name;
  }

  /** By name; what is not there is known, too. */
  private static final class Members<T> extends ClassValue<Map<String, Optional<T>>> {
    @Override
    protected Map<String, Optional<T>> computeValue(Class<?> type) {
      return new ConcurrentHashMap<>(4);
    }
  }
}
