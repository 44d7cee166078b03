// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's own scheduler of virtual threads, on which all virtual threads run that have no other.
 * From Java 24 on it tells of itself; before, nothing is known of it.
 */
final class VirtualThreads {
  private static final @Nullable Class<?> BEAN = bean();

  private VirtualThreads() {}

  private static @Nullable Class<?> bean() {
    try {
      return Class.forName("jdk.management.VirtualThreadSchedulerMXBean");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  static @Nullable Long parallelism() {
    return read("getParallelism");
  }

  /** The platform threads that carry them. */
  static @Nullable Long threads() {
    return read("getPoolSize");
  }

  /** Virtual threads that have a carrier now. */
  static @Nullable Long active() {
    return read("getMountedVirtualThreadCount");
  }

  /** Virtual threads that wait for one. */
  static @Nullable Long queued() {
    return read("getQueuedVirtualThreadCount");
  }

  private static @Nullable Long read(String what) {
    if (BEAN == null) {
      return null;
    }
    try {
      Object bean =
          ManagementFactory.getPlatformMXBean(BEAN.asSubclass(PlatformManagedObject.class));
      Method method = BEAN.getMethod(what);
      return ((Number) method.invoke(bean)).longValue();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
