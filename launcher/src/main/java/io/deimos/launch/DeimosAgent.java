// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import io.opentelemetry.javaagent.OpenTelemetryAgent;
import io.opentelemetry.javaagent.bootstrap.AgentInitializer;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Starts the OpenTelemetry agent that carries Deimos, or says in one line why not. The application
 * runs on in either case.
 */
@SuppressWarnings("SystemOut") // too early for any logging
public final class DeimosAgent {
  private static final String JAR = "deimos.jar";
  private static final String PROGRESS = "io.deimos.agent.bootstrap.Progress";
  private static final String BESIDE = JAR + ", which has one inside";

  private DeimosAgent() {}

  /** {@code -javaagent:deimos.jar}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    String obstacle = Obstacles.find(BESIDE);
    if (obstacle == null) {
      Options.set(arguments);
      OpenTelemetryAgent.premain(null, instrumentation);
      tellIfFailed();
    } else {
      System.err.println("deimos: " + obstacle);
    }
  }

  /** {@code Launcher-Agent-Class}, or attached to a running JVM. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    String obstacle = Obstacles.find(BESIDE, JAR, instrumentation);
    if (obstacle == null) {
      Options.set(arguments);
      OpenTelemetryAgent.agentmain(null, instrumentation);
      tellIfFailed();
    } else {
      System.err.println("deimos: " + obstacle);
    }
  }

  /**
   * The OpenTelemetry agent says why it fails, and nothing of what that means. Where Pekko is woven
   * by then, recording is switched off.
   */
  private static void tellIfFailed() {
    ClassLoader inner = AgentInitializer.getExtensionsClassLoader();
    try {
      if (inner != null
          && Boolean.TRUE.equals(inner.loadClass(PROGRESS).getMethod("stopHalfway").invoke(null))) {
        System.err.println(
            "deimos: the OpenTelemetry agent inside "
                + JAR
                + " could not start, as it says above, so nothing is recorded of actors and the"
                + " application runs on. Correct what it names, and restart");
      }
    } catch (Throwable t) {
      System.err.println(
          "deimos: it cannot be told whether the OpenTelemetry agent has started (" + t + ")");
    }
  }
}
