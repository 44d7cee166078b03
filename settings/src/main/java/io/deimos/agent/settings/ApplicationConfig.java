// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import java.util.function.Consumer;

/**
 * The application's HOCON, read twice: when the JVM starts, since some settings decide what is
 * woven, from where {@code ConfigFactory.load} would find it; and when an actor system starts, from
 * the configuration that it was really given.
 */
public final class ApplicationConfig {
  private static final String START = "the application's configuration";

  private ApplicationConfig() {}

  /**
   * Where the application will find its files, as far as that is known when the JVM starts: the
   * class path, with the folder in a jar of Spring Boot that becomes a class path.
   *
   * @param loader of the class path
   * @param classPath as the JVM was given it
   */
  public static ClassLoader files(ClassLoader loader, String classPath) {
    return SpringBootJar.over(loader, classPath);
  }

  /**
   * The configuration that {@code config.file}, {@code config.resource}, {@code config.url} or the
   * {@code application.*} on a class path say under {@code deimos}. Libraries' {@code
   * reference.conf} are left alone: reading Pekko's would cost more than all else that Deimos does
   * at the start.
   *
   * @param loader the class loader to look in
   * @param problems told if there is something that cannot be read
   */
  public static Layer atStart(ClassLoader loader, Consumer<String> problems) {
    if (!ApplicationText.mayNameUs(loader, System.getProperties())) {
      return Layer.empty();
    }
    try {
      Config application =
          ConfigFactory.defaultApplication(
              ConfigParseOptions.defaults().setClassLoader(loader).setAllowMissing(true));
      if (!application.root().containsKey("deimos")) {
        return Layer.empty();
      }
      Config resolved =
          ConfigFactory.defaultOverrides(loader)
              .withFallback(application)
              .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
      return Layer.ofConfig(resolved.withOnlyPath("deimos"), START);
    } catch (ConfigException e) {
      problems.accept(
          "the application's configuration could not be read when the JVM started ("
              + e.getMessage()
              + "); settings of Deimos in it are read again when an actor system starts");
      return Layer.empty();
    }
  }

  /**
   * The part of an actor system's configuration under {@code deimos}.
   *
   * @param json the value of {@code deimos} in it, rendered
   */
  public static Layer ofSystem(String json, String system) {
    return Layer.ofConfig(
        PlainHocon.json(json).atPath("deimos"), "the configuration of actor system " + system);
  }
}
