// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import io.opentelemetry.javaagent.bootstrap.AgentClassLoader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * The OpenTelemetry agent's class loader, with a shorter way to most classes: that one looks for
 * each in every version that a jar may have of it, and for the JDK's, too. Two thousand classes are
 * loaded while the application starts.
 */
final class LeanClasses extends AgentClassLoader {
  private static final String ROOM = "inst/";

  /** Those of the jar that have one version. */
  private static final String[] PLAIN = {
    "net.bytebuddy.", "org.objectweb.asm.", "io.opentelemetry.sdk.", "io.deimos."
  };

  /** Those that are never in the jar's inner room. */
  private static final String[] ABOVE = {
    "java.", "io.deimos.recorder.", "io.opentelemetry.javaagent.shaded.io.opentelemetry.api."
  };

  private final JarFile jar;
  private final Manifest manifest;
  private final URL location;
  private final Set<String> packages = ConcurrentHashMap.newKeySet();

  static {
    registerAsParallelCapable();
  }

  LeanClasses(File file) throws IOException {
    super(file, ROOM, false);
    jar = new JarFile(file, false);
    manifest = jar.getManifest();
    location = file.toURI().toURL();
  }

  @Override
  public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (is(name, ABOVE)) {
      return getParent().loadClass(name);
    }
    if (!is(name, PLAIN)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = find(name);
      }
      return loaded == null ? super.loadClass(name, resolve) : loaded;
    }
  }

  private @Nullable Class<?> find(String name) throws ClassNotFoundException {
    JarEntry entry = jar.getJarEntry(ROOM + name.replace('.', '/') + ".classdata");
    if (entry == null) {
      return null;
    }
    String of = name.substring(0, name.lastIndexOf('.'));
    if (packages.add(of) && getPackage(of) == null) {
      definePackage(of, manifest, location);
    }
    byte[] bytes = new byte[(int) entry.getSize()];
    try (InputStream in = jar.getInputStream(entry)) {
      int length = 0;
      for (int n = 0; n >= 0 && length < bytes.length; length += Math.max(n, 0)) {
        n = in.read(bytes, length, bytes.length - length);
      }
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    return defineClass(name, bytes);
  }

  private static boolean is(String name, String[] prefixes) {
    for (String prefix : prefixes) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
