// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.Faults;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The marks that a class of actors or of messages carries: annotations and interfaces of the
 * library {@code deimos-api}, which are in the application's class loader and so known by name.
 * Looked at once per class. Safe for any thread.
 */
public final class Marks {
  public static final int NEVER_TRACED = 1 << 8;
  public static final int ALWAYS_TRACED = 1 << 9;
  public static final int NEVER_MEASURED = 1 << 10;

  private static final Map<String, Integer> BY_TYPE =
      Map.of(
          "io.deimos.api.NeverTraced", NEVER_TRACED,
          "io.deimos.api.Untraced", NEVER_TRACED,
          "io.deimos.api.AlwaysTraced", ALWAYS_TRACED,
          "io.deimos.api.Traced", ALWAYS_TRACED,
          "io.deimos.api.NeverMeasured", NEVER_MEASURED,
          "io.deimos.api.Unmeasured", NEVER_MEASURED);

  /** Marked classes of actors, of which otherwise only the name is kept. */
  private static final Map<String, Integer> ACTORS = new ConcurrentHashMap<>();

  /** Kept by the class itself, so it ends with its loader. */
  private static final ClassValue<Integer> OF =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
          return look(type);
        }
      };

  private Marks() {}

  /** The marks of a class, of its superclasses and of its interfaces, as a sum of bits. */
  public static int of(Class<?> type) {
    return OF.get(type);
  }

  private static int look(Class<?> type) {
    try {
      int found = 0;
      for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
        found |= own(at);
      }
      return found;
    } catch (LinkageError | RuntimeException e) {
      Faults.caught(e); // a class whose annotations or interfaces cannot be loaded has no marks
      return 0;
    }
  }

  private static int own(Class<?> type) {
    int found = BY_TYPE.getOrDefault(type.getName(), 0);
    for (Annotation annotation : type.getDeclaredAnnotations()) {
      found |= BY_TYPE.getOrDefault(annotation.annotationType().getName(), 0);
    }
    for (Class<?> implemented : type.getInterfaces()) {
      found |= own(implemented);
    }
    return found;
  }

  /** Notes the marks of a class of actors, before its kind is made. */
  public static void note(String className, Class<?> type) {
    int marks = of(type);
    if (marks != 0) {
      ACTORS.put(className, marks);
    }
  }

  static int ofActor(String className) {
    return ACTORS.getOrDefault(className, 0);
  }
}
