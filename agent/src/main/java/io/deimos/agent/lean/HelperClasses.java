// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import io.opentelemetry.javaagent.bootstrap.InjectedClassHelper;
import io.opentelemetry.javaagent.bootstrap.InjectedClassHelper.HelperClassInfo;
import io.opentelemetry.javaagent.bootstrap.JavaagentFileHolder;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Puts the classes that woven code of the OpenTelemetry API calls into the application's class
 * loader, all at once. The OpenTelemetry agent has class loaders woven to find them one by one; we
 * weave no class loader.
 *
 * <p><b>Threads.</b> Called by any thread that loads a class of that API.
 */
final class HelperClasses {
  private static final String ROOM = "inst/";
  private static final String SUFFIX = ".classdata";
  private static final String HELPERS =
      ROOM + "io/opentelemetry/javaagent/instrumentation/opentelemetryapi/";

  private final Instrumentation instrumentation;
  private final Map<ClassLoader, Set<String>> there = new WeakHashMap<>();
  private @Nullable Set<String> names;
  private @Nullable Method define;

  HelperClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Puts there what is wanted there and is not there yet. */
  synchronized void putInto(ClassLoader loader) throws ReflectiveOperationException, IOException {
    Set<String> here = there.computeIfAbsent(loader, any -> new HashSet<>());
    Map<String, HelperClassInfo> wanted = new LinkedHashMap<>();
    for (String name : names()) {
      if (InjectedClassHelper.isHelperClass(loader, name) && here.add(name)) {
        HelperClassInfo helper = InjectedClassHelper.getHelperClassInfo(loader, name);
        if (helper != null) {
          wanted.put(name, helper);
        }
      }
    }
    while (!wanted.isEmpty()) {
      put(wanted.keySet().iterator().next(), wanted, loader);
    }
  }

  /** A class that others extend comes before them. */
  private void put(String name, Map<String, HelperClassInfo> wanted, ClassLoader loader)
      throws ReflectiveOperationException {
    HelperClassInfo helper = wanted.remove(name);
    if (helper == null) {
      return;
    }
    byte[] bytes = helper.getClassBytes();
    ClassReader reader = new ClassReader(bytes);
    put(String.valueOf(reader.getSuperName()).replace('/', '.'), wanted, loader);
    for (String type : reader.getInterfaces()) {
      put(type.replace('/', '.'), wanted, loader);
    }
    try {
      Object unused =
          define().invoke(loader, name, bytes, 0, bytes.length, helper.getProtectionDomain());
    } catch (InvocationTargetException e) {
      if (!isThere(name, loader)) {
        throw e;
      }
    }
  }

  private static boolean isThere(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader).getClassLoader() == loader;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private Set<String> names() throws IOException {
    Set<String> known = names;
    if (known == null) {
      Set<String> found = new HashSet<>();
      try (JarFile jar = new JarFile(JavaagentFileHolder.getJavaagentFile(), false)) {
        jar.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.startsWith(HELPERS) && name.endsWith(SUFFIX))
            .map(name -> name.substring(ROOM.length(), name.length() - SUFFIX.length()))
            .forEach(name -> found.add(name.replace('/', '.')));
      }
      known = found;
      names = known;
    }
    return known;
  }

  private Method define() throws ReflectiveOperationException {
    Method known = define;
    if (known == null) {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(HelperClasses.class.getModule())),
          Set.of(),
          Map.of());
      known =
          ClassLoader.class.getDeclaredMethod(
              "defineClass",
              String.class,
              byte[].class,
              int.class,
              int.class,
              ProtectionDomain.class);
      known.setAccessible(true);
      define = known;
    }
    return known;
  }
}
