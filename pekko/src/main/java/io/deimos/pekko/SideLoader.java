// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads our few classes that name Pekko's, below the class loader that has Pekko. Their bytes come
 * from the agent; everything else from the parent.
 */
final class SideLoader extends ClassLoader {
  private static final String SELF_TEST = "io.deimos.pekko.selftest.";
  private static final String GAUGES = "io.deimos.pekko.gauges.";

  private final Toolkit toolkit;

  /** Below the class loader of an actor system. */
  SideLoader(Object system) {
    super("deimos-side", system.getClass().getClassLoader());
    toolkit = Toolkit.of(system.getClass());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(SELF_TEST) && !name.startsWith(GAUGES)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String resource = name.replace('.', '/') + ".class";
    ClassLoader agent = SideLoader.class.getClassLoader();
    try (InputStream in =
        agent == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : agent.getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = toolkit.ours(in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
