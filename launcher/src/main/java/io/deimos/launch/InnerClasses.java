// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * Loads what the agent's own class loader loads, {@code inst/NAME.classdata} of this jar, where no
 * agent runs. Classes at the jar's root come from the parent.
 */
final class InnerClasses extends ClassLoader {
  private static final String ROOM = "inst/";

  static {
    registerAsParallelCapable();
  }

  InnerClasses(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String file = ROOM + name.replace('.', '/') + ".classdata";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = bytes(in);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] bytes(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      bytes.write(buffer, 0, n);
    }
    return bytes.toByteArray();
  }

  @Override
  protected @Nullable URL findResource(String name) {
    return getParent().getResource(ROOM + name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    URL found = findResource(name);
    return found == null
        ? Collections.<URL>emptyEnumeration()
        : Collections.enumeration(Collections.singleton(found));
  }
}
