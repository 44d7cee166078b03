// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Edits the model of a configuration file. The model's classes change from version to version, so
 * this is reflection.
 */
public final class ConfigurationModel {
  private static final String JAVA_AGENT = "javaagent";

  private ConfigurationModel() {}

  /**
   * Has the model edited before the SDK is made from it.
   *
   * @param replaced the agent's own modules that are to be off
   * @param problems told if that cannot be done
   */
  public static void edit(
      DeclarativeConfigurationCustomizer customizer,
      List<String> replaced,
      Consumer<String> problems)
      throws ReflectiveOperationException {
    UnaryOperator<Object> edit =
        model -> {
          disable(model, replaced, problems);
          return model;
        };
    DeclarativeConfigurationCustomizer.class
        .getMethod("addModelCustomizer", Function.class)
        .invoke(customizer, edit);
  }

  /** Adds modules of the agent's own to {@code distribution.javaagent.instrumentation.disabled}. */
  private static void disable(Object model, List<String> modules, Consumer<String> problems) {
    List<String> names = modules.stream().map(name -> name.replace('-', '_')).toList();
    try {
      Object distribution = call(model, "getDistribution");
      if (distribution == null) {
        Class<?> type = model.getClass().getMethod("getDistribution").getReturnType();
        distribution = type.getConstructor().newInstance();
        model.getClass().getMethod("setDistribution", type).invoke(model, distribution);
      }
      Map<String, Object> properties = map(call(distribution, "getExtensionProperties"));
      Map<String, Object> agent = map(properties.get(JAVA_AGENT));
      Map<String, Object> instrumentation = map(agent.get("instrumentation"));
      List<Object> disabled =
          new ArrayList<>(
              instrumentation.get("disabled") instanceof List<?> list ? list : List.of());
      disabled.addAll(names);
      instrumentation.put("disabled", disabled);
      agent.put("instrumentation", instrumentation);
      distribution
          .getClass()
          .getMethod("setExtensionProperty", String.class, Object.class)
          .invoke(distribution, JAVA_AGENT, agent);
    } catch (ReflectiveOperationException | RuntimeException e) {
      problems.accept(
          "the agent's own modules for Pekko and Akka could not be switched off ("
              + e
              + "), so each context is passed on twice; add "
              + String.join(", ", names)
              + " to distribution.javaagent.instrumentation.disabled in the file that"
              + " otel.config.file names");
    }
  }

  private static @Nullable Object call(Object on, String method)
      throws ReflectiveOperationException {
    return on.getClass().getMethod(method).invoke(on);
  }

  private static Map<String, Object> map(@Nullable Object from) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (from instanceof Map<?, ?> map) {
      map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    }
    return copy;
  }
}
