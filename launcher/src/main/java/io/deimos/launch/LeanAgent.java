// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Starts Deimos without the OpenTelemetry agent around it, or says in one line why not. The
 * application runs on in either case.
 */
@SuppressWarnings("SystemOut") // too early for any logging
public final class LeanAgent {
  private static final String JAR = "deimos-lean.jar";
  private static final String BESIDE = JAR + ", and a JVM has room for one";

  private LeanAgent() {}

  /** {@code -javaagent:deimos-lean.jar}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(Obstacles.find(BESIDE), arguments, instrumentation);
  }

  /** {@code Launcher-Agent-Class}, or attached to a running JVM. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(Obstacles.find(BESIDE, JAR, instrumentation), arguments, instrumentation);
  }

  private static void start(
      @Nullable String obstacle, @Nullable String arguments, Instrumentation instrumentation) {
    if (obstacle != null) {
      System.err.println("deimos: " + obstacle);
      return;
    }
    Options.set(arguments);
    if (isOff()) {
      return;
    }
    try {
      File jar =
          new File(LeanAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (JarFile classes = new JarFile(jar, false)) {
        instrumentation.appendToBootstrapClassLoaderSearch(classes);
      }
      LeanBoot.start(jar, instrumentation);
    } catch (Throwable t) {
      System.err.println(
          "deimos: could not be set up ("
              + t
              + ") and is off; the application runs on. Use deimos.jar, or report it");
    }
  }

  /** By the switch that OpenTelemetry's agents have. */
  private static boolean isOff() {
    String given = System.getProperty("otel.javaagent.enabled");
    return "false"
        .equalsIgnoreCase(given == null ? System.getenv("OTEL_JAVAAGENT_ENABLED") : given);
  }
}
