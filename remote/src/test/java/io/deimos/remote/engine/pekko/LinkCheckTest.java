// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.remote.engine.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkCheckTest {
  @Test
  void missing_withThisPekko_isNothing() throws IOException {
    assertThat(LinkCheck.missing(Engine.class)).isEmpty();
  }

  @Test
  void missing_withoutAClassOfPekko_namesIt() throws Exception {
    String hidden = "org.apache.pekko.remote.artery.MessageDispatcher";
    ClassLoader loader = new Hiding(hidden);
    assertThat(missing(loader)).containsExactly(hidden);
  }

  @Test
  void missing_withoutAClassOfScala_namesItFirst() throws Exception {
    String hidden = "scala.collection.JavaConverters";
    ClassLoader loader = new Hiding(hidden);
    assertThat(missing(loader)).containsExactly(hidden);
  }

  @Test
  void describe_many_namesOneAndCountsTheOthers() {
    var missing = new LinkedHashSet<>(List.of("a.B", "a.C.d()V", "a.E"));
    assertThat(LinkCheck.describe(missing)).isEqualTo("a.B and 2 more");
    assertThat(LinkCheck.describe(Set.of("a.B"))).isEqualTo("a.B");
  }

  @SuppressWarnings("unchecked") // the method's own type
  private static Set<String> missing(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> check = loader.loadClass(LinkCheck.class.getName());
    Method method = check.getDeclaredMethod("missing", Class.class);
    method.setAccessible(true);
    return (Set<String>) method.invoke(null, loader.loadClass(Engine.class.getName()));
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
