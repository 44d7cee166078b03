// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Runs another main class: the first argument names it, the rest are its own. */
final class Launch {
  private Launch() {}

  static void program(String[] args) throws Exception {
    Method main = Class.forName(args[0]).getMethod("main", String[].class);
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(args[0] + " failed", e.getCause());
    }
  }
}
