// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

/** {@code java -jar deimos.jar}. */
@SuppressWarnings("SystemOut") // a program of the command line
public final class Main {
  private Main() {}

  /** {@code java -jar deimos.jar}: what it is, or a command. */
  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      System.exit(new Commands(System.out, System.err).run(arguments));
    }
    String version = Main.class.getPackage().getImplementationVersion();
    System.out.println("Deimos " + version + ", tracing and metrics for Apache Pekko");
    System.out.println(Commands.USAGE);
  }
}
