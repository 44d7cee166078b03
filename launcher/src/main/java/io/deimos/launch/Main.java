// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

/**
 * {@code java -jar deimos.jar}: hands over to the commands. They and their libraries lie where no
 * application's class loader finds them.
 */
@SuppressWarnings("SystemOut") // a program of the command line
public final class Main {
  private static final String COMMANDS = "io.deimos.cli.Commands";
  private static final int FAILED = 1;

  private Main() {}

  /** {@code java -jar deimos.jar}: the commands, or one of them. */
  public static void main(String[] arguments) {
    String java = System.getProperty("java.specification.version", "");
    if (Obstacles.isTooOld(java)) {
      System.err.println(
          "deimos: the commands need Java 17 or later and this is Java "
              + java
              + ". Run them on a newer Java");
      System.exit(FAILED);
    }
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    String version = String.valueOf(Main.class.getPackage().getImplementationVersion());
    try {
      Object code =
          new InnerClasses(Main.class.getClassLoader())
              .loadClass(COMMANDS)
              .getMethod("run", String.class, String[].class)
              .invoke(null, version, arguments);
      return code instanceof Integer ? (Integer) code : FAILED;
    } catch (ReflectiveOperationException | LinkageError e) {
      System.err.println("deimos: this jar has no commands (" + e + "); take deimos.jar");
      return FAILED;
    }
  }
}
