// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.dynamic.ClassFileLocator;

/**
 * The class files of advice and of what it calls, and no others: all else is the application's, and
 * to look for it among ours first would take longer than to weave it. Read classes are kept while
 * there is memory for them, since hooks have much in common.
 */
final class OurClasses implements ClassFileLocator {
  private static final String[] OURS = {"io.deimos.", "net.bytebuddy."};

  private final ClassFileLocator files;
  private volatile SoftReference<Map<String, Resolution>> read = new SoftReference<>(null);

  OurClasses(ClassLoader loader) {
    files = ClassFileLocator.ForClassLoader.of(loader);
  }

  @Override
  public Resolution locate(String name) throws IOException {
    for (String ours : OURS) {
      if (name.startsWith(ours)) {
        return find(name);
      }
    }
    return new Resolution.Illegal(name);
  }

  private Resolution find(String name) throws IOException {
    Map<String, Resolution> known = read.get();
    if (known == null) {
      known = new ConcurrentHashMap<>();
      read = new SoftReference<>(known);
    }
    Resolution found = known.get(name);
    if (found == null) {
      found = files.locate(name);
      known.put(name, found);
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
