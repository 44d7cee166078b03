// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Reads what Pekko keeps to itself, by the names of its source. scalac may write the name of the
 * class before that of a private member.
 */
final class Reflect {
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
    for (Class<?> type = of; type != null; type = type.getSuperclass()) {
      String widened = widened(type, name);
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name) || field.getName().equals(widened)) {
          field.setAccessible(true);
          return field;
        }
      }
    }
    return null;
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

  /** What a member is: its method is called or, where there is none, its field is read. */
  static Object call(Object on, String name) throws ReflectiveOperationException {
    for (Class<?> type = on.getClass(); type != null; type = type.getSuperclass()) {
      String widened = widened(type, name);
      for (Method method : type.getDeclaredMethods()) {
        boolean named = method.getName().equals(name) || method.getName().equals(widened);
        if (named && method.getParameterCount() == 0) {
          method.setAccessible(true);
          return java.util.Objects.requireNonNull(method.invoke(on));
        }
      }
    }
    Field field = fieldOrNull(on.getClass(), name); // Scala 3 makes no methods for private ones
    if (field == null) {
      throw new NoSuchMethodException(on.getClass().getName() + "." + name);
    }
    return java.util.Objects.requireNonNull(field.get(on));
  }

  private static String widened(Class<?> type, String name) {
    return type.getName().replace('.', '$') + "$$" + name;
  }
}
