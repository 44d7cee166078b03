// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ties the lifetime of an object of the user's to its class, so that we never keep the class loader
 * alive.
 */
final class ClassBoundReference<T> {
  private static final ClassValue<Map<Object, Boolean>> KEPT =
      new ClassValue<>() {
        @Override
        protected Map<Object, Boolean> computeValue(Class<?> type) {
          return new IdentityHashMap<>();
        }
      };

  private final WeakReference<T> reference;

  ClassBoundReference(T object) {
    Map<Object, Boolean> kept = KEPT.get(object.getClass());
    synchronized (kept) {
      kept.put(object, true);
    }
    reference = new WeakReference<>(object);
  }

  /** Null once the application that it was of is gone. */
  @Nullable T get() {
    return reference.get();
  }
}
