// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that the bridge is loaded by the bootstrap class loader, where woven code of every
 * class loader finds it, and hands the router to that copy of it.
 */
final class BootstrapBridge {
  private static final String PACKAGE = "io/deimos/remote/";

  static final List<String> CLASSES =
      List.of(
          "Batches",
          "FlushReason",
          "MessageMeter",
          "RemoteBridge",
          "RemoteBridge$Handler",
          "RemoteStats",
          "RemoteStats$Source",
          "RemoteStats$Batching",
          "RemoteStats$Counts",
          "RemoteStats$Peer",
          "RemoteStats$Refused",
          "RemoteStatsControl",
          "RemoteStatsMXBean");

  private BootstrapBridge() {}

  /** The bridge's install method, whichever class loader this class itself came from. */
  static Consumer<EngineRouter> ensure(@Nullable Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    Class<?> bridge = find();
    if (bridge == null) {
      if (instrumentation == null) {
        throw new ClassNotFoundException(
            "io.deimos.remote.RemoteBridge is not on the bootstrap class path");
      }
      try (JarFile jar = new JarFile(writeJar().toFile())) {
        instrumentation.appendToBootstrapClassLoaderSearch(jar);
      }
      bridge = Class.forName("io.deimos.remote.RemoteBridge", true, null);
    }
    Class<?> handlerType = Class.forName(bridge.getName() + "$Handler", true, null);
    var install = bridge.getMethod("install", handlerType);
    return router -> {
      Object handler =
          Proxy.newProxyInstance(
              BootstrapBridge.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" ->
                        router.handle(arguments[0], (String) arguments[1], (Object[]) arguments[2]);
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> "deimos.remote router";
                  });
      try {
        install.invoke(null, handler);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static @Nullable Class<?> find() {
    try {
      return Class.forName("io.deimos.remote.RemoteBridge", true, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static Path writeJar() throws IOException {
    Path file = Files.createTempFile("deimos-remote-bridge", ".jar");
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (String name : CLASSES) {
        String entry = PACKAGE + name + ".class";
        try (InputStream in =
            Objects.requireNonNull(
                BootstrapBridge.class.getClassLoader().getResourceAsStream(entry), entry)) {
          jar.putNextEntry(new JarEntry(entry));
          in.transferTo(jar);
          jar.closeEntry();
        }
      }
    }
    return file;
  }
}
