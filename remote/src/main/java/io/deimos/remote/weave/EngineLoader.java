// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Loads the engine and its Netty from the jar inside our jar. Its parent is the loader of Pekko, so
 * the engine links against the very classes it works with; the application never sees its classes.
 */
final class EngineLoader extends ClassLoader {
  private static final String JAR = "/io/deimos/remote/engine.jar";
  private static final String ENGINE = "io.deimos.remote.engine.";
  private static final String SHADED = "io.deimos.remote.shaded.";

  static {
    registerAsParallelCapable();
  }

  private final Map<String, byte[]> entries;

  private EngineLoader(ClassLoader pekko, Map<String, byte[]> entries) {
    super("deimos-remote", pekko);
    this.entries = entries;
  }

  static ClassLoader below(ClassLoader pekko) throws IOException {
    try (InputStream in = EngineLoader.class.getResourceAsStream(JAR)) {
      if (in == null) {
        throw new IOException("there is no " + JAR + " beside " + EngineLoader.class.getName());
      }
      Map<String, byte[]> entries = new ConcurrentHashMap<>();
      try (JarInputStream jar = new JarInputStream(in)) {
        for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
          if (!entry.isDirectory()) {
            entries.put(entry.getName(), jar.readAllBytes());
          }
        }
      }
      return new EngineLoader(pekko, entries);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(ENGINE) || name.startsWith(SHADED)) {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        byte[] bytes = entries.get(name.replace('.', '/') + ".class");
        if (bytes != null) {
          Class<?> defined = defineClass(name, bytes, 0, bytes.length);
          if (!name.startsWith(ENGINE)) { // the link check reads the engine's own again
            entries.remove(name.replace('.', '/') + ".class");
          }
          return defined;
        }
      }
    }
    return super.loadClass(name, resolve);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    byte[] bytes = entries.get(name);
    if (bytes == null) {
      return null;
    }
    try {
      return memory(name, bytes);
    } catch (MalformedURLException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return found == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(found));
  }

  @SuppressWarnings("deprecation") // its replacement came with Java 20
  private static URL memory(String name, byte[] bytes) throws MalformedURLException {
    return new URL(null, "deimos-remote:/" + name, new Memory(bytes));
  }

  private static final class Memory extends URLStreamHandler {
    private final byte[] bytes;

    private Memory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(bytes);
        }
      };
    }
  }
}
