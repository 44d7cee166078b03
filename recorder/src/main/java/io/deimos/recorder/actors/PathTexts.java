// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.Texts;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Stands for Pekko's paths once their actors have stopped: text, of which siblings share what is
 * above them. Where Pekko is on the JVM's own class path, its classes last as long as the JVM, and
 * a path of usual length stands for itself. One thread's, for one round of housekeeping, since it
 * keeps a path of Pekko's.
 */
final class PathTexts {
  /** The only loader of applications that cannot be forgotten. */
  private static final ClassLoader OF_THE_JVM = ClassLoader.getSystemClassLoader();

  private static final ClassValue<Parts> PARTS =
      new ClassValue<>() {
        @Override
        protected Parts computeValue(Class<?> path) {
          return Parts.of(path);
        }
      };

  private final @Nullable ClassLoader lasting;
  private @Nullable Class<?> kind;
  private @Nullable Object parent;
  private String above = "";

  PathTexts() {
    this(OF_THE_JVM);
  }

  /**
   * @param lasting whose classes may be held for good; null for none of an application's
   */
  PathTexts(@Nullable ClassLoader lasting) {
    this.lasting = lasting;
  }

  /** Prints as the path does, or as the beginning of a long one. */
  Object of(Object path) {
    Parts parts = path instanceof String ? Parts.NONE : PARTS.get(path.getClass());
    Object itsParent = parts.parent(path);
    String name = itsParent == null ? null : parts.name(path);
    if (itsParent == null || itsParent == path || name == null) { // that of a root is itself
      return whole(path);
    }
    if (itsParent != parent || path.getClass() != kind) {
      String whole = printed(path);
      if (!whole.endsWith("/" + name)) {
        return Texts.cut(whole, ActorTelemetry.MAX_PATH);
      }
      above = whole.substring(0, whole.length() - name.length());
      parent = itsParent;
      kind = path.getClass();
    }
    if (above.length() + name.length() > ActorTelemetry.MAX_PATH) {
      return Texts.cut(above + name, ActorTelemetry.MAX_PATH);
    }
    return lasting != null && path.getClass().getClassLoader() == lasting
        ? path
        : new Below(above, name);
  }

  private static String whole(Object path) {
    return Texts.cut(printed(path), ActorTelemetry.MAX_PATH);
  }

  /** Its class if it cannot be printed, as when the application's class loader has been closed. */
  private static String printed(Object path) {
    try {
      return path.toString();
    } catch (RuntimeException | LinkageError e) {
      return path.getClass().getName();
    }
  }

  /** The path of an actor of this name. */
  private record Below(String above, String name) {
    @Override
    public String toString() {
      return above + name;
    }
  }

  /** How to ask a class of Pekko's paths for what a path is made of. */
  private record Parts(@Nullable MethodHandle parentOf, @Nullable MethodHandle nameOf) {
    static final Parts NONE = new Parts(null, null);

    static Parts of(Class<?> path) {
      try {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        return new Parts(
            lookup
                .unreflect(path.getMethod("parent"))
                .asType(MethodType.methodType(Object.class, Object.class)),
            lookup
                .unreflect(path.getMethod("name"))
                .asType(MethodType.methodType(String.class, Object.class)));
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return NONE;
      }
    }

    /** Null if there is no way to tell. */
    @Nullable Object parent(Object path) {
      try {
        return parentOf == null ? null : (Object) parentOf.invokeExact(path);
      } catch (Throwable e) {
        return null;
      }
    }

    /** Null if there is no way to tell. */
    @Nullable String name(Object path) {
      try {
        return nameOf == null ? null : (String) nameOf.invokeExact(path);
      } catch (Throwable e) {
        return null;
      }
    }
  }
}
