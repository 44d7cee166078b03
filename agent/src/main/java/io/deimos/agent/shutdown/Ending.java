// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.shutdown;

import io.deimos.recorder.base.PekkoNames;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits at the JVM's end for the actor systems that are coming to theirs: a coordinated shutdown
 * runs beside everything else that happens then, and what actors do in it is recorded like the
 * rest. A system that nobody ends is waited for no longer than it takes to see that, and so is one
 * whose shutdown the application itself does not wait for.
 *
 * <p>No JVM ends later for this: the application's own hook waits for the same shutdown.
 */
final class Ending {
  /** The hooks of a JVM start in no order: Pekko's may come a moment after ours. */
  static final long NOTICE_MILLIS = 500;

  static final long MAX_SECONDS = 60;
  private static final String BY_HOOK = ".coordinated-shutdown.run-by-jvm-shutdown-hook";
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final String SHUTDOWN = ".actor.CoordinatedShutdown";

  private enum State {
    AT_WORK,
    ENDING,
    ENDED
  }

  private Ending() {}

  /**
   * Waits until these systems have ended, or it is plain that they will not.
   *
   * @param systems the application's actor systems
   * @return whether all have ended
   */
  static boolean await(List<Object> systems) {
    long since = System.nanoTime();
    while (true) {
      long waited = System.nanoTime() - since;
      State last = State.ENDED;
      for (Object system : systems) {
        State state = state(system);
        if (state == State.ENDING || (state == State.AT_WORK && last == State.ENDED)) {
          last = state;
        }
      }
      if (last == State.ENDED
          || waited
              > (last == State.ENDING
                  ? TimeUnit.SECONDS.toNanos(MAX_SECONDS)
                  : TimeUnit.MILLISECONDS.toNanos(NOTICE_MILLIS))
          || Thread.currentThread().isInterrupted()) {
        return last == State.ENDED;
      }
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private static State state(Object system) {
    try {
      if (isCompleted(call(system, "whenTerminated"))) {
        return State.ENDED;
      }
      ClassLoader loader = system.getClass().getClassLoader();
      String root = root(system);
      String shutdownClass = root + SHUTDOWN;
      Class<?> type = Class.forName(shutdownClass, false, loader);
      Class<?> companion = Class.forName(shutdownClass + "$", true, loader);
      Object id = companion.getField("MODULE$").get(null);
      Class<?> anyId = Class.forName(root + ".actor.ExtensionId", false, loader);
      Class<?> anySystem = Class.forName(root + ".actor.ActorSystem", false, loader);
      if (!Boolean.TRUE.equals(anySystem.getMethod("hasExtension", anyId).invoke(system, id))) {
        return State.AT_WORK; // to ask for it would make it
      }
      Object shutdown = type.getMethod("get", anySystem).invoke(null, system);
      Optional<?> reason = (Optional<?>) call(shutdown, "getShutdownReason");
      if (reason.isEmpty() || !isAwaitedByItsHook(system)) {
        return State.AT_WORK;
      }
      Class<?> anyReason = Class.forName(shutdownClass + "$Reason", false, loader);
      // One that runs is not begun anew: this is how to get at its end.
      Object run = type.getMethod("run", anyReason).invoke(shutdown, reason.get());
      return isCompleted(run) ? State.ENDED : State.ENDING;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return State.ENDED; // another Pekko: as if there were nothing to wait for
    }
  }

  private static boolean isAkkas(Object system) {
    return PekkoNames.isAkkas(system.getClass().getName());
  }

  /** The package that the system's classes are below. */
  private static String root(Object system) {
    return isAkkas(system) ? "akka" : "org.apache.pekko";
  }

  /** Whether the JVM waits for this system anyway. */
  private static boolean isAwaitedByItsHook(Object system) throws ReflectiveOperationException {
    String settings = isAkkas(system) ? "akka" : "pekko";
    Object config = call(call(system, "settings"), "config");
    Method getBoolean = config.getClass().getMethod("getBoolean", String.class);
    getBoolean.setAccessible(true);
    return Boolean.TRUE.equals(getBoolean.invoke(config, settings + BY_HOOK));
  }

  private static boolean isCompleted(Object future) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(call(future, "isCompleted"));
  }

  private static Object call(Object on, String method) throws ReflectiveOperationException {
    Method found = on.getClass().getMethod(method);
    found.setAccessible(true);
    return found.invoke(on);
  }
}
