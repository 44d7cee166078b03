// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.lang.instrument.Instrumentation;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/** Why Deimos cannot start in this JVM, in one sentence with the way out. */
final class Obstacles {
  private static final String LAUNCHED = "deimos.launched";
  private static final int OLDEST_JAVA = 17;
  private static final String PEKKO = "org.apache.pekko.actor.ActorCell";
  private static final String AKKA = "akka.actor.ActorCell";

  private Obstacles() {}

  /**
   * The obstacle, or null; then Deimos counts as started.
   *
   * @param beside what to say where another OpenTelemetry agent was started before
   */
  static @Nullable String find(String beside) {
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
      return "another OpenTelemetry agent was started before "
          + beside
          + "; Deimos stays off. Take the other -javaagent away, or keep it and give it"
          + " -Dotel.javaagent.extensions=deimos-extension.jar";
    }
    System.setProperty(LAUNCHED, location());
    return null;
  }

  /** The same for a JVM that runs already. */
  static @Nullable String find(String beside, String jar, Instrumentation instrumentation) {
    String obstacle = find(beside);
    return obstacle == null && areActorsLoaded(instrumentation)
        ? "attached to a JVM that already runs Pekko, whose classes cannot be given fields any"
            + " more; Deimos stays off. Start the JVM with -javaagent:"
            + jar
            + " instead"
        : obstacle;
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
    URL url = Obstacles.class.getResource("Obstacles.class");
    return url == null ? "at an unknown place" : url.toString().replaceAll("^jar:file:|!.*$", "");
  }
}
