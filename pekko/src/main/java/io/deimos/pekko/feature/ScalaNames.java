// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

/**
 * How the compilers of Scala 2 and Scala 3 write names of methods. A member that is private in the
 * source is called as it is there, or with the name of its class before it, as its callers require.
 * The body of a lambda has a number.
 */
final class ScalaNames {
  private static final String LAMBDA = "(lambda)";

  private ScalaNames() {}

  /** The first lambda in a method, as {@link HookPoint#method} has it. */
  static String lambdaIn(String method) {
    return method + LAMBDA;
  }

  static boolean areSame(String type, String declared, String compiled) {
    if (declared.endsWith(LAMBDA)) {
      String in = declared.substring(0, declared.length() - LAMBDA.length());
      return compiled.equals("$anonfun$" + in + "$1") || compiled.equals(in + "$$anonfun$1");
    }
    // asked of each method of each class
    return compiled.endsWith(declared.substring(declared.lastIndexOf('$') + 1))
        && plain(type, declared).equals(plain(type, compiled));
  }

  private static String plain(String type, String name) {
    String widened = type.replace('.', '$') + "$$";
    return name.startsWith(widened) ? name.substring(widened.length()) : name;
  }
}
