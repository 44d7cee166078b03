// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.lang.reflect.Constructor;

/** Objects whose constructors have not run, since those want a cluster, or a stream to run. */
final class Unmade {
  /** The use of one. */
  interface Call {
    void run() throws ReflectiveOperationException;
  }

  private Unmade() {}

  static <T> T of(Class<T> type) throws ReflectiveOperationException {
    Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
    Object made = factory.getMethod("getReflectionFactory").invoke(null);
    Constructor<?> none =
        (Constructor<?>)
            factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(made, type, Object.class.getConstructor());
    return type.cast(none.newInstance());
  }
}
