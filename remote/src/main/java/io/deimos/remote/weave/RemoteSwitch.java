// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether the Artery of a class loader is to be woven: {@code deimos.remote.enabled} as a system
 * property, as the environment variable {@code DEIMOS_REMOTE_ENABLED}, or in the application's own
 * configuration, in this order; off if nobody says anything. Asked when Artery's classes are
 * loaded, so that nothing is woven where the answer is no.
 *
 * <p><b>Threads.</b> Any.
 */
final class RemoteSwitch implements Predicate<@Nullable ClassLoader> {
  static final String KEY = "deimos.remote.enabled";
  static final String VARIABLE = "DEIMOS_REMOTE_ENABLED";

  /** The application's; put together here, or the build would make it the agent's own. */
  private static final String CONFIG = String.join(".", "com", "typesafe", "config", "Config");

  private static final Set<String> ON = Set.of("on", "true", "yes");
  private static final Set<String> OFF = Set.of("off", "false", "no");

  private final Properties properties;
  private final Map<String, String> environment;
  private final Consumer<String> warn;
  private final Map<ClassLoader, Boolean> answers = new WeakHashMap<>();

  RemoteSwitch(Properties properties, Map<String, String> environment, Consumer<String> warn) {
    this.properties = properties;
    this.environment = environment;
    this.warn = warn;
  }

  @Override
  public boolean test(@Nullable ClassLoader loader) {
    if (loader == null) {
      return false;
    }
    synchronized (answers) {
      Boolean known = answers.get(loader);
      if (known == null) {
        known = ask(loader);
        answers.put(loader, known);
      }
      return known;
    }
  }

  private boolean ask(ClassLoader loader) {
    Boolean said = parse(KEY, properties.getProperty(KEY));
    if (said == null) {
      said = parse(VARIABLE, environment.get(VARIABLE));
    }
    if (said == null) {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      said = parse(KEY + " in the configuration", configured(context == null ? loader : context));
    }
    return said != null && said;
  }

  private @Nullable Boolean parse(String name, @Nullable String value) {
    if (value == null || value.isBlank()) {
      return null;
    }
    String word = value.strip().toLowerCase(Locale.ROOT);
    if (!ON.contains(word) && !OFF.contains(word)) {
      warn.accept(name + "=" + value + " is not on or off; using off");
      return false;
    }
    return ON.contains(word);
  }

  /** The value in what an actor system reads if it is given no configuration of its own. */
  private @Nullable String configured(ClassLoader loader) {
    try {
      Class<?> factory = Class.forName(CONFIG + "Factory", true, loader);
      Object config = factory.getMethod("load", ClassLoader.class).invoke(null, loader);
      Class<?> type = Class.forName(CONFIG, true, loader);
      boolean there = (Boolean) type.getMethod("hasPath", String.class).invoke(config, KEY);
      return there ? (String) type.getMethod("getString", String.class).invoke(config, KEY) : null;
    } catch (InvocationTargetException e) {
      warn.accept(KEY + " could not be read from the configuration: " + e.getCause());
      return null;
    } catch (ReflectiveOperationException | LinkageError e) {
      return null; // no configuration library there, so no configuration
    }
  }
}
