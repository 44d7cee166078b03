// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import io.opentelemetry.javaagent.OpenTelemetryAgent;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Starts the OpenTelemetry agent that carries Deimos, or says in one line why not. The application
 * runs on in either case.
 */
@SuppressWarnings("SystemOut") // too early for any logging
public final class DeimosAgent {
  private static final String LAUNCHED = "deimos.launched";
  private static final int OLDEST_JAVA = 17;
  private static final String PEKKO = "org.apache.pekko.actor.ActorCell";
  private static final String AKKA = "akka.actor.ActorCell";

  private DeimosAgent() {}

  /** {@code -javaagent:deimos.jar}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    String obstacle = obstacle();
    if (obstacle == null) {
      Options.set(arguments);
      OpenTelemetryAgent.premain(null, instrumentation);
    } else {
      System.err.println("deimos: " + obstacle);
    }
  }

  /** {@code Launcher-Agent-Class}, or attached to a running JVM. */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    String obstacle = obstacle();
    if (obstacle == null && areActorsLoaded(instrumentation)) {
      obstacle =
          "attached to a JVM that already runs Pekko, whose classes cannot be given fields any"
              + " more; Deimos stays off. Start the JVM with -javaagent:deimos.jar instead";
    }
    if (obstacle == null) {
      Options.set(arguments);
      OpenTelemetryAgent.agentmain(null, instrumentation);
    } else {
      System.err.println("deimos: " + obstacle);
    }
  }

  /** {@code java -jar deimos.jar}: what it is, or a command. */
  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      System.exit(new Commands(System.out, System.err).run(arguments));
    }
    String version = DeimosAgent.class.getPackage().getImplementationVersion();
    System.out.println("Deimos " + version + ", tracing and metrics for Apache Pekko");
    System.out.println(Commands.USAGE);
  }

  private static @Nullable String obstacle() {
    String version = System.getProperty("java.specification.version", "");
    if (isTooOld(version)) {
      return "needs Java "
          + OLDEST_JAVA
          + " or later and this is Java "
          + version
          + "; Deimos stays off. Run the application on a newer Java, or take -javaagent away";
    }
    String before = System.getProperty(LAUNCHED);
    if (before != null) {
      return "the agent is given twice; the first is at work ("
          + before
          + "). Take one -javaagent away";
    }
    if (isAgentStarted()) {
      return "another OpenTelemetry agent was started before deimos.jar, which has one inside;"
          + " Deimos stays off. Take the other -javaagent away, or keep it and give it"
          + " -Dotel.javaagent.extensions=deimos-extension.jar";
    }
    System.setProperty(LAUNCHED, location());
    return null;
  }

  /** Versions before 9 are written 1.8. */
  static boolean isTooOld(String specification) {
    try {
      return specification.startsWith("1.") || Integer.parseInt(specification) < OLDEST_JAVA;
    } catch (NumberFormatException e) {
      return false; // whatever writes its version like that is not old
    }
  }

  private static boolean isAgentStarted() {
    try {
      Class.forName("io.opentelemetry.javaagent.bootstrap.AgentInitializer", false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean areActorsLoaded(Instrumentation instrumentation) {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(PEKKO) || loaded.getName().equals(AKKA)) {
        return true;
      }
    }
    return false;
  }

  private static String location() {
    URL url = DeimosAgent.class.getResource("DeimosAgent.class");
    return url == null ? "at an unknown place" : url.toString().replaceAll("^jar:file:|!.*$", "");
  }
}
