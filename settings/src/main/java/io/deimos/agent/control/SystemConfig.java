// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.agent.log.Problems;
import io.deimos.agent.settings.ApplicationConfig;
import io.deimos.recorder.base.PekkoNames;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an actor system's own configuration says of Deimos, before the system's first actor is
 * made. The configuration is the application's, in the application's classes, so it crosses as
 * text.
 */
public final class SystemConfig implements Consumer<Object> {
  private final LiveSettings settings;
  private final Control control;
  private final Problems problems;

  public SystemConfig(LiveSettings settings, Control control, Problems problems) {
    this.settings = settings;
    this.control = control;
    this.problems = problems;
  }

  @Override
  public void accept(Object system) {
    try {
      Object pekkos = call(system, "settings");
      Object config = call(pekkos, "config");
      String name = String.valueOf(call(system, "name"));
      String ours = json(config, "deimos");
      ClassLoader loader = (ClassLoader) call(call(system, "dynamicAccess"), "classLoader");
      if (ours != null) {
        settings.application(
            ApplicationConfig.ofSystem(ours, name), "actor system " + name, isOfClassPath(loader));
      }
      String root = PekkoNames.isAkkas(system.getClass().getName()) ? "akka" : "pekko";
      control.system(name, json(config, root + ".actor.deployment"), loader);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      problems.accept(
          "the configuration of an actor system could not be read ("
              + e
              + "), so settings of Deimos in it have no effect; give them as system properties");
    }
  }

  /** Whether the JVM's own class loader has all that {@code loader} has. */
  private static boolean isOfClassPath(@Nullable ClassLoader loader) {
    ClassLoader above = ClassLoader.getSystemClassLoader();
    while (above != null && above != loader) {
      above = above.getParent();
    }
    return above == loader;
  }

  /** The value at a path as JSON, or null if there is none. */
  private static @Nullable String json(Object config, String path)
      throws ReflectiveOperationException {
    Class<?> type = type(config);
    if (!Boolean.TRUE.equals(type.getMethod("hasPath", String.class).invoke(config, path))) {
      return null;
    }
    Object value = type.getMethod("getValue", String.class).invoke(config, path);
    ClassLoader loader = type.getClassLoader();
    Class<?> options = Class.forName(type.getName() + "RenderOptions", false, loader);
    Object concise = options.getMethod("concise").invoke(null);
    Class<?> values = Class.forName(type.getName() + "Value", false, loader);
    return (String) values.getMethod("render", options).invoke(value, concise);
  }

  /** The library's {@code Config}; its name would be changed in this jar together with our own. */
  private static Class<?> type(Object config) throws ClassNotFoundException {
    for (Class<?> implemented : config.getClass().getInterfaces()) {
      if (implemented.getSimpleName().equals("Config")) {
        return implemented;
      }
    }
    throw new ClassNotFoundException("no Config in " + config.getClass());
  }

  private static Object call(Object on, String method) throws ReflectiveOperationException {
    Method found = on.getClass().getMethod(method);
    found.setAccessible(true);
    return found.invoke(on);
  }
}
