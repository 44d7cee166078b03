// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The model of a configuration file, to be edited before the SDK is made from it. The model's
 * classes change from version to version, so this is reflection.
 */
public final class ConfigurationModel {
  private static final String JAVA_AGENT = "javaagent";

  private final Object model;

  private ConfigurationModel(Object model) {
    this.model = model;
  }

  /** Has the model edited before the SDK is made from it. */
  public static void edit(
      DeclarativeConfigurationCustomizer customizer, Consumer<ConfigurationModel> edit)
      throws ReflectiveOperationException {
    UnaryOperator<Object> edited =
        model -> {
          edit.accept(new ConfigurationModel(model));
          return model;
        };
    DeclarativeConfigurationCustomizer.class
        .getMethod("addModelCustomizer", Function.class)
        .invoke(customizer, edited);
  }

  /**
   * Says which of the agent's own modules are on, in {@code
   * distribution.javaagent.instrumentation}. The file's word on a module by name holds.
   *
   * @param off modules to be off
   * @param on modules to be on while all others are off; none to leave the others as they are
   * @param problems told if that cannot be done
   */
  public void choose(List<String> off, List<String> on, Consumer<String> problems) {
    try {
      if (!off.isEmpty() || !on.isEmpty()) {
        modules(off, on);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      problems.accept(
          "the agent's own modules for Pekko and Akka could not be switched off ("
              + e
              + "), so each context is passed on twice; add "
              + String.join(", ", off).replace('-', '_')
              + " to distribution.javaagent.instrumentation.disabled in the file that"
              + " otel.config.file names");
    }
  }

  private void modules(List<String> off, List<String> on) throws ReflectiveOperationException {
    Object distribution = part(model, "Distribution");
    Map<String, Object> agent =
        map(map(call(distribution, "getExtensionProperties")).get(JAVA_AGENT));
    Map<String, Object> instrumentation = map(agent.get("instrumentation"));
    List<Object> disabled = list(instrumentation.get("disabled"));
    List<Object> enabled = list(instrumentation.get("enabled"));
    for (String module : off) {
      String name = module.replace('-', '_');
      if (!enabled.contains(name)) {
        disabled.add(name);
      }
    }
    if (!on.isEmpty()) {
      instrumentation.putIfAbsent("default_enabled", false);
      on.forEach(module -> enabled.add(module.replace('-', '_'))); // "disabled" goes before
      instrumentation.put("enabled", enabled);
    }
    instrumentation.put("disabled", disabled);
    agent.put("instrumentation", instrumentation);
    extend(distribution, JAVA_AGENT, agent);
  }

  /** Adds a processor of that name before all others. */
  void addProcessor(String provider, String name) throws ReflectiveOperationException {
    Object of = part(model, provider);
    Object processor = element(of, "getProcessors").getConstructor().newInstance();
    extend(processor, name, new LinkedHashMap<>());
    addFirst(of, "Processors", processor);
  }

  /** Adds a reader of metrics that somebody else asks to read. */
  void addPullReader(String name) throws ReflectiveOperationException {
    Object of = part(model, "MeterProvider");
    Object reader = element(of, "getReaders").getConstructor().newInstance();
    extend(part(part(reader, "Pull"), "Exporter"), name, new LinkedHashMap<>());
    addFirst(of, "Readers", reader);
  }

  /** A part of the model, which is there from now on. */
  private static Object part(Object of, String name) throws ReflectiveOperationException {
    Object part = call(of, "get" + name);
    if (part == null) {
      Class<?> type = of.getClass().getMethod("get" + name).getReturnType();
      part = type.getConstructor().newInstance();
      setter(of, name, type).invoke(of, part);
    }
    return part;
  }

  private static void addFirst(Object to, String name, Object element)
      throws ReflectiveOperationException {
    List<Object> all = list(call(to, "get" + name));
    all.add(0, element);
    setter(to, name, List.class).invoke(to, all);
  }

  private static Class<?> element(Object of, String getter) throws ReflectiveOperationException {
    ParameterizedType list =
        (ParameterizedType) of.getClass().getMethod(getter).getGenericReturnType();
    return (Class<?>) list.getActualTypeArguments()[0];
  }

  /** Some versions set, others go on with what is set. */
  private static Method setter(Object of, String name, Class<?> type)
      throws ReflectiveOperationException {
    try {
      return of.getClass().getMethod("set" + name, type);
    } catch (NoSuchMethodException e) {
      return of.getClass().getMethod("with" + name, type);
    }
  }

  private static void extend(Object of, String name, Object value)
      throws ReflectiveOperationException {
    Method method;
    try {
      method = of.getClass().getMethod("setExtensionProperty", String.class, Object.class);
    } catch (NoSuchMethodException e) {
      method = of.getClass().getMethod("withExtensionProperty", String.class, Object.class);
    }
    method.invoke(of, name, value);
  }

  private static @Nullable Object call(Object on, String method)
      throws ReflectiveOperationException {
    return on.getClass().getMethod(method).invoke(on);
  }

  private static List<Object> list(@Nullable Object from) {
    return new ArrayList<>(from instanceof List<?> list ? list : List.of());
  }

  private static Map<String, Object> map(@Nullable Object from) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (from instanceof Map<?, ?> map) {
      map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    }
    return copy;
  }
}
