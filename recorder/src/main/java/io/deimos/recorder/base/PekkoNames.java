// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/**
 * The names of Pekko's classes. Akka, which Pekko was forked from, has the same classes in a
 * package of another name; here they are compared under Pekko's.
 */
public final class PekkoNames {
  private static final String PEKKO = "org.apache.pekko.";
  private static final String AKKA = "akka.";

  private PekkoNames() {}

  /** A class's name, which is Pekko's own for the same class of Akka's. */
  public static String of(String className) {
    return isAkkas(className) ? PEKKO + className.substring(AKKA.length()) : className;
  }

  /** Whether a class is Pekko's or Akka's. */
  public static boolean isPekkos(String className) {
    return className.startsWith(PEKKO) || isAkkas(className);
  }

  /** Whether a class is Akka's. */
  public static boolean isAkkas(String className) {
    return className.startsWith(AKKA);
  }

  /** Whether a text is the path of an actor. */
  public static boolean isPath(String text) {
    return text.startsWith("pekko://") || text.startsWith("akka://");
  }
}
