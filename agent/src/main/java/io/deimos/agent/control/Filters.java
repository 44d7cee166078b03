// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import java.util.ServiceLoader;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the user's {@code TraceFilter}: the class that {@code deimos.filter} names, else the one
 * that a {@code ServiceLoader} finds. It is in the application's class loader; the recorder sees it
 * as the {@code BiPredicate} that it extends. Not for use by two threads.
 */
final class Filters {
  private static final String TYPE = "io.deimos.api.TraceFilter";

  private final Consumer<String> problems;
  private @Nullable ClassLoader loader;
  private String made = "";
  private @Nullable BiPredicate<Object, Boolean> current;
  private @Nullable BiPredicate<Object, Boolean> service;

  Filters(Consumer<String> problems) {
    this.problems = problems;
  }

  /** Looks for a service in a class loader, if none was looked in before; true if there is one. */
  boolean lookIn(@Nullable ClassLoader application) {
    if (loader != null || application == null) {
      return false;
    }
    loader = application;
    made = "";
    try {
      Class<?> type = Class.forName(TYPE, false, application);
      for (Object found : ServiceLoader.load(type, application)) {
        service = asPredicate(found);
        break;
      }
    } catch (ClassNotFoundException e) {
      // The application does not use the library.
    } catch (RuntimeException | LinkageError | java.util.ServiceConfigurationError e) {
      problems.accept("a TraceFilter could not be made (" + e + "), so no filter is used");
    }
    return true;
  }

  /**
   * @param name the class that the setting names, or nothing
   */
  @Nullable BiPredicate<Object, Boolean> find(String name) {
    ClassLoader from = loader;
    if (name.isEmpty() || from == null) {
      return service;
    }
    if (!name.equals(made)) {
      made = name;
      current = null;
      try {
        current =
            asPredicate(Class.forName(name, true, from).getDeclaredConstructor().newInstance());
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        problems.accept(
            "deimos.filter="
                + name
                + " could not be made ("
                + e
                + "), so no filter is used; name a public class with a constructor without"
                + " parameters that implements "
                + TYPE);
      }
    }
    return current;
  }

  @SuppressWarnings("unchecked") // TraceFilter extends BiPredicate<Object, Boolean>
  private static BiPredicate<Object, Boolean> asPredicate(Object filter) {
    return (BiPredicate<Object, Boolean>) filter;
  }
}
