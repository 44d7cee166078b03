// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the engine that belongs to the class loader a Pekko object came from, starting one at the
 * first call, and hands calls over. Where no engine can be started, Pekko's own methods run.
 */
final class EngineRouter {
  private static final Object NO_ENGINE = new Object();

  /** A class that each Pekko with remoting has once. */
  private static final String ANCHOR = "org.apache.pekko.remote.artery.ArteryTransport";

  private final Consumer<String> warn;
  private final AtomicBoolean failureSaid = new AtomicBoolean();

  /**
   * Kept by a class of Pekko's, and so for as long as that is there: an engine refers to the class
   * loader it lives in, and a map of ours would keep that of an application that was redeployed.
   */
  private final ClassValue<Object> engines =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> anchor) {
          return start(anchor.getClassLoader());
        }
      };

  EngineRouter(Consumer<String> warn) {
    this.warn = warn;
  }

  @Nullable Object handle(Object self, String method, Object[] arguments) {
    try {
      Class<?> anchor = Class.forName(ANCHOR, false, self.getClass().getClassLoader());
      Object engine = engines.get(anchor);
      return engine instanceof BiFunction<?, ?, ?> function
          ? invoke(function, method, new Object[] {self, arguments})
          : null;
    } catch (Throwable e) {
      if (failureSaid.compareAndSet(false, true)) {
        warn.accept(
            "deimos.remote failed in "
                + method
                + " ("
                + e
                + "), and Artery's own method ran. Reported once; if remoting does not work, set"
                + " deimos.remote.enabled = off and report it.");
      }
      return null;
    }
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
