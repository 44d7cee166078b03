// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The actor systems that have started in this process. Safe for any thread. */
public final class Systems {
  private static final List<String> NAMES = new CopyOnWriteArrayList<>();
  private static final List<Consumer<Object>> LISTENERS = new CopyOnWriteArrayList<>();

  /** By identity, which an actor system's {@code equals} is. */
  private static final Set<Object> MET = Collections.newSetFromMap(new WeakHashMap<>());

  private static volatile WeakReference<Object> latest = new WeakReference<>(null);
  private static volatile @Nullable Consumer<Object> beforeActors;

  private static final Overdue OVERDUE = new Overdue();

  private Systems() {}

  /** Adds one who is told of each started actor system, on the starting thread. */
  public static void onStart(Consumer<Object> told) {
    LISTENERS.add(told);
  }

  /** An actor system is up. */
  public static void started(Object system, String name) {
    if (!NAMES.contains(name)) {
      NAMES.add(name);
    }
    if (OVERDUE.started(system)) {
      tell(system);
    }
  }

  private static void tell(Object system) {
    LISTENERS.forEach(told -> told.accept(system));
  }

  /**
   * Sets who is told of each actor system before its first actor is made, on the thread that makes
   * it.
   */
  public static void onFirstActor(Consumer<Object> told) {
    beforeActors = told;
  }

  /** An actor of a system is being made, perhaps before the system is up. */
  public static void seen(Object system) {
    if (system != latest.get()) {
      meet(system);
    }
  }

  private static void meet(Object system) {
    latest = new WeakReference<>(system);
    HousekeepingCall.wake();
    boolean isNew;
    synchronized (MET) {
      isNew = MET.add(system);
    }
    Consumer<Object> told = beforeActors;
    if (isNew && told != null) {
      told.accept(system);
    }
    OVERDUE.met(system, Clock.now());
  }

  /**
   * Tells the listener of a system that has actors but was never seen to start, once, some time
   * after its first actor. Called by housekeeping.
   */
  public static void tellOverdue(long nowNanos) {
    Object system = LISTENERS.isEmpty() ? null : OVERDUE.at(nowNanos);
    if (system != null) {
      tell(system);
    }
  }

  /** Whether there has been one. */
  public static boolean areAny() {
    return latest.get() != null || !living().isEmpty();
  }

  /** The systems that have actors, and those that had and are not yet collected. */
  public static List<Object> living() {
    synchronized (MET) {
      return List.copyOf(MET);
    }
  }

  /** Names of the systems started so far. */
  public static List<String> names() {
    return List.copyOf(NAMES);
  }
}
