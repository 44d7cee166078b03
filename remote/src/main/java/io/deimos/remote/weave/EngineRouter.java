// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.io.IOException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the engine that belongs to the class loader a Pekko object came from, starting one at the
 * first call, and hands calls over. Where no engine can be started, Pekko's own methods run.
 */
final class EngineRouter {
  private static final Object NO_ENGINE = new Object();

  private final Consumer<String> warn;
  private final Map<ClassLoader, Object> engines = new WeakHashMap<>();

  EngineRouter(Consumer<String> warn) {
    this.warn = warn;
  }

  @Nullable Object handle(Object self, String method, Object[] arguments) {
    ClassLoader loader = self.getClass().getClassLoader();
    Object engine;
    synchronized (engines) {
      engine = engines.computeIfAbsent(loader, this::start);
    }
    if (engine instanceof BiFunction<?, ?, ?> function) {
      return invoke(function, method, new Object[] {self, arguments});
    }
    return null;
  }

  @SuppressWarnings("unchecked") // the engine's own declaration
  private static @Nullable Object invoke(
      BiFunction<?, ?, ?> engine, String method, Object[] selfAndArguments) {
    return ((BiFunction<String, Object[], Object>) engine).apply(method, selfAndArguments);
  }

  /** Returns the engine, or a sign that there is none. */
  private Object start(ClassLoader pekko) {
    try {
      ClassLoader loader = EngineLoader.below(pekko);
      Class<?> engine = Class.forName("io.deimos.remote.engine.Engine", true, loader);
      return engine.getConstructor().newInstance();
    } catch (IOException | ReflectiveOperationException | LinkageError e) {
      warn.accept(
          "deimos.remote is off: its engine does not start ("
              + cause(e)
              + "). Artery runs as it is.");
      return NO_ENGINE;
    }
  }

  private static Throwable cause(Throwable e) {
    Throwable inner = e.getCause();
    return inner == null ? e : inner;
  }
}
