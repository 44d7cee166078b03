// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import java.lang.ref.WeakReference;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds an object of the user's that has a say: the one whose class a setting names, else the one
 * that a {@code ServiceLoader} finds. Its class is in the application's class loader; the recorder
 * sees it as the JDK's type {@code T} that its own type extends. Not for use by two threads.
 */
final class UserHook<T> {
  private final String type;
  private final Function<Object, T> seenAs;
  private final String setting;
  private final String otherwise;
  private final Consumer<String> problems;
  private @Nullable WeakReference<ClassLoader> loader;
  private String made = "";
  private @Nullable T current;
  private @Nullable T service;
  private boolean serviceFailed;

  /**
   * @param type the name of the type in {@code deimos-api}
   * @param seenAs makes what it extends of it, and holds it as {@link ClassBoundReference} does;
   *     throws {@link ClassCastException} of anything else
   * @param setting the key that may name a class
   * @param otherwise what is done without it, for messages
   */
  UserHook(
      String type,
      Function<Object, T> seenAs,
      String setting,
      String otherwise,
      Consumer<String> problems) {
    this.type = type;
    this.seenAs = seenAs;
    this.setting = setting;
    this.otherwise = otherwise;
    this.problems = problems;
  }

  /**
   * Looks for a service in a class loader, if none was looked in before that is still there; true
   * if it did.
   */
  boolean lookIn(@Nullable ClassLoader application) {
    if (loader() != null || application == null) {
      return false;
    }
    loader = new WeakReference<>(application);
    made = "";
    current = null;
    service = null;
    serviceFailed = false;
    try {
      Class<?> known = Class.forName(type, false, application);
      for (Object found : ServiceLoader.load(known, application)) {
        service = seenAs.apply(found);
        break;
      }
    } catch (ClassNotFoundException e) {
      // The application does not use the library.
    } catch (RuntimeException | LinkageError | java.util.ServiceConfigurationError e) {
      serviceFailed = true;
      problems.accept("a service " + type + " could not be made (" + e + "), so " + otherwise);
    }
    return true;
  }

  private @Nullable ClassLoader loader() {
    WeakReference<ClassLoader> known = loader;
    return known == null ? null : known.get();
  }

  /**
   * Whether there should be one and is not.
   *
   * @param name as {@link #find} was called with last
   */
  boolean isMissing(String name) {
    return name.isEmpty() ? serviceFailed : loader() == null || current == null;
  }

  /**
   * @param name the class that the setting names, or nothing
   */
  @Nullable T find(String name) {
    ClassLoader from = loader();
    if (name.isEmpty() || from == null) {
      return service;
    }
    if (!name.equals(made)) {
      made = name;
      current = null;
      try {
        current = seenAs.apply(checked(name, from).getDeclaredConstructor().newInstance());
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        problems.accept(
            setting
                + "="
                + name
                + " could not be made ("
                + e
                + "), so "
                + otherwise
                + "; name a public class with a constructor without parameters that implements "
                + type);
      }
    }
    return current;
  }

  /** The class, none of whose code has run: it is looked at before it is initialised. */
  private Class<?> checked(String name, ClassLoader from) throws ClassNotFoundException {
    Class<?> wanted = Class.forName(type, false, from);
    Class<?> found = Class.forName(name, false, from);
    if (!wanted.isAssignableFrom(found)) {
      throw new ClassCastException(found.getName() + " does not implement " + type);
    }
    return found;
  }
}
