// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.Test;

class LinkCheckTest {
  @Test
  void missing_withThisPekko_isNothing() throws IOException {
    assertThat(LinkCheck.missing(TransportEngine.class)).isEmpty();
  }

  @Test
  void missing_withoutAClassOfPekko_namesIt() throws Exception {
    String hidden = "org.apache.pekko.remote.artery.MessageDispatcher";
    ClassLoader loader = new Hiding(hidden);
    Class<?> check = loader.loadClass(LinkCheck.class.getName());
    var method = check.getDeclaredMethod("missing", Class.class);
    method.setAccessible(true);
    Object missing = call(method, loader.loadClass(TransportEngine.class.getName()));
    assertThat(missing).asString().contains(hidden + ".dispatch").contains(hidden + ".<init>");
  }

  private static Object call(java.lang.reflect.Method method, Class<?> argument)
      throws IllegalAccessException, InvocationTargetException {
    return method.invoke(null, argument);
  }

  /** Loads the engine again, under a Pekko that lacks one class. */
  private static final class Hiding extends ClassLoader {
    private final String hidden;

    Hiding(String hidden) {
      super(LinkCheckTest.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(hidden)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.deimos.remote.engine.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
