// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import java.lang.ref.WeakReference;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of the user's that is kept for as long as its class is: by the class, and not by us,
 * who would keep the application's class loader alive by it.
 */
final class Users<T> {
  private static final ClassValue<Map<Object, Boolean>> KEPT =
      new ClassValue<>() {
        @Override
        protected Map<Object, Boolean> computeValue(Class<?> type) {
          return new IdentityHashMap<>();
        }
      };

  private final WeakReference<T> reference;

  Users(T object) {
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
