// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Instrumentations;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Wishes that this form of Deimos cannot fulfil, since it comes without the OpenTelemetry agent:
 * one sentence each, wherever it is written. A setting that only switches something off that is not
 * there is left alone.
 */
public final class LeftOut {
  private static final String AGENT = "otel.javaagent.";
  private static final String MODULES = "otel.instrumentation.";

  /** The settings that {@link SdkLog} and the launcher read. */
  private static final List<String> KNOWN =
      List.of(AGENT + "enabled", AGENT + "debug", AGENT + "logging");

  /** The one instrumentation that is there, as a variable has it. */
  private static final String API = MODULES + "opentelemetry.api";

  /** Our section, which has a line of its own where it is out of place. */
  private static final String OURS = "deimos";

  /** How many settings of one kind are named one by one. */
  private static final int MOST = 10;

  private static final String WAY_OUT = ". Use deimos.jar, or remove the setting";
  private static final String NO_AGENT =
      " has no effect: it is for the OpenTelemetry agent, and deimos-lean.jar comes without that"
          + WAY_OUT;
  private static final String NO_MODULES =
      " has no effect: deimos-lean.jar records actors, and no other libraries" + WAY_OUT;

  private final List<String> found = new ArrayList<>();

  private LeftOut() {}

  /**
   * The sentences.
   *
   * @param properties the system's
   * @param file what {@code otel.config.file} names
   * @param instrumentations who gave {@code deimos.instrumentations}; null if nobody did
   */
  public static List<String> of(
      Map<String, String> properties,
      Map<String, String> environment,
      ConfigurationFile file,
      Settings settings,
      @Nullable Given instrumentations) {
    LeftOut all = new LeftOut();
    if (instrumentations != null
        && settings.isGiven(Keys.INSTRUMENTATIONS)
        && settings.get(Keys.INSTRUMENTATIONS) == Instrumentations.ALL) {
      all.found.add(instrumentations.shown() + NO_MODULES);
    }
    all.variables(properties, environment);
    all.file(file);
    return all.found;
  }

  private void variables(Map<String, String> properties, Map<String, String> environment) {
    Map<String, String> agent = new TreeMap<>();
    Map<String, String> modules = new TreeMap<>();
    properties.forEach((name, value) -> sort(name, name, value, agent, modules));
    environment.forEach(
        (variable, value) -> {
          String name = variable.toLowerCase(Locale.ROOT).replace('_', '.');
          if ((name.startsWith(AGENT) || name.startsWith(MODULES)) && !isGiven(name, properties)) {
            sort(name, variable, value, agent, modules);
          }
        });
    tell(agent, NO_AGENT);
    tell(modules, NO_MODULES);
  }

  /** A property goes before the variable of its name. */
  private static boolean isGiven(String name, Map<String, String> properties) {
    return properties.keySet().stream().anyMatch(key -> key.replace('-', '.').equals(name));
  }

  private static void sort(
      String name,
      String shown,
      String value,
      Map<String, String> agent,
      Map<String, String> modules) {
    if (value.isBlank() || value.strip().equalsIgnoreCase("false")) {
      return;
    }
    if (name.startsWith(AGENT) && !KNOWN.contains(name)) {
      agent.put(shown, value);
    } else if (name.startsWith(MODULES) && !name.replace('-', '.').startsWith(API)) {
      modules.put(shown, value);
    }
  }

  private void tell(Map<String, String> asked, String why) {
    int left = MOST;
    for (Map.Entry<String, String> one : asked.entrySet()) {
      if (left-- == 0) {
        found.add(
            (asked.size() - MOST)
                + " more settings like "
                + Printable.shortLine(one.getKey())
                + " have no effect, for the same reason"
                + WAY_OUT);
        return;
      }
      found.add(
          Printable.shortLine(one.getKey()) + "=" + Printable.shortLine(one.getValue()) + why);
    }
  }

  /** Both places where a file speaks of instrumentations. */
  private void file(ConfigurationFile file) {
    ConfigValue agent = in(file.root(), "distribution", "javaagent");
    ConfigValue modules = in(agent, "instrumentation");
    if (isAsked(in(modules, "enabled")) || isTrue(in(modules, "default_enabled"))) {
      say("distribution.javaagent.instrumentation", modules, file, NO_MODULES);
    }
    ConfigValue java = in(file.root(), "instrumentation/development", "java");
    if (java instanceof ConfigObject object && isAsked(object.withoutKey(OURS))) {
      say("instrumentation/development.java", java, file, NO_MODULES);
    }
  }

  private void say(
      String name, @Nullable ConfigValue value, ConfigurationFile file, String without) {
    found.add(name + (value == null ? "" : " (" + file.place(value) + ")") + without);
  }

  private static boolean isTrue(@Nullable ConfigValue value) {
    return value != null && "true".equals(String.valueOf(value.unwrapped()));
  }

  /** Whether something below it does more than switch off. */
  private static boolean isAsked(@Nullable ConfigValue value) {
    if (value instanceof ConfigObject object) {
      return object.values().stream().anyMatch(LeftOut::isAsked);
    }
    if (value instanceof ConfigList list) {
      return list.stream().anyMatch(LeftOut::isAsked);
    }
    return value != null
        && value.valueType() != ConfigValueType.NULL
        && !"false".equalsIgnoreCase(String.valueOf(value.unwrapped()));
  }

  private static @Nullable ConfigValue in(@Nullable ConfigValue value, String... keys) {
    ConfigValue found = value;
    for (String key : keys) {
      found = found instanceof ConfigObject object ? object.get(key) : null;
    }
    return found;
  }
}
