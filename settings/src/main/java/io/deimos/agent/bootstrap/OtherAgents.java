// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Looks for a stock OpenTelemetry agent given beside {@code deimos.jar}, which has one inside, or
 * {@code deimos-lean.jar}, which has its classes. The second to start does nothing, without a word.
 */
public final class OtherAgents {
  private static final String OPTION = "-javaagent:";
  private static final String STOCK = "io.opentelemetry.javaagent.OpenTelemetryAgent";

  private OtherAgents() {}

  /**
   * Tells of one.
   *
   * @param ours the name of our jar
   */
  public static void tell(String ours, Consumer<String> problems) {
    List<String> given = new ArrayList<>();
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith(OPTION)) {
        given.add(argument.substring(OPTION.length()));
      }
    }
    if (given.size() > 1) {
      tell(given, ours, problems);
    }
  }

  static void tell(List<String> given, String ours, Consumer<String> problems) {
    for (String agent : given) {
      int options = agent.indexOf('=');
      String jar = options < 0 ? agent : agent.substring(0, options);
      if (isStock(jar)) {
        problems.accept(
            "-javaagent:"
                + jar
                + " is an OpenTelemetry agent, and a JVM has room for one of it and "
                + ours
                + "; only the first of the two works. Remove the other -javaagent");
      }
    }
  }

  private static boolean isStock(String jar) {
    try (JarFile file = new JarFile(jar)) {
      Manifest manifest = file.getManifest();
      return manifest != null
          && STOCK.equals(manifest.getMainAttributes().getValue("Premain-Class"));
    } catch (IOException e) {
      return false;
    }
  }
}
