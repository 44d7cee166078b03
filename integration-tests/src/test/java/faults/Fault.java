// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package faults;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The code woven into the start of the agent's methods: fails where it was told to. In the
 * bootstrap loader, so that every class of the agent can call it. Safe for any thread.
 */
public final class Fault {
  private static final Set<String> REACHED = ConcurrentHashMap.newKeySet();
  private static final AtomicLong FIRED = new AtomicLong();
  private static final Set<String> FIRED_AT = ConcurrentHashMap.newKeySet();
  private static final String PLACES = "faults.places";
  private static final String HOW = "faults.how";

  private static volatile Set<String> places = split(System.getProperty(PLACES, ""));
  private static volatile String how = System.getProperty(HOW, "error");

  private Fault() {}

  /**
   * Called first in a method of the agent.
   *
   * @param place simple name of the class, a dot, name of the method
   */
  public static void at(String place) {
    REACHED.add(place);
    if (!places.contains(place)) {
      return;
    }
    FIRED.incrementAndGet();
    FIRED_AT.add(place);
    switch (how) {
      case "sleep" -> pause();
      case "memory" -> throw new OutOfMemoryError("injected at " + place);
      default -> throw new InternalError("injected at " + place);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Fails from now on in these places, and in no other.
   *
   * @param where separated by commas; may be empty
   */
  public static void arm(String where, String with) {
    how = with;
    FIRED.set(0);
    places = split(where);
  }

  private static Set<String> split(String where) {
    return where.isEmpty() ? Set.of() : Set.of(where.split(","));
  }

  /** How often it has failed since it was armed. */
  public static long fired() {
    return FIRED.get();
  }

  /** Where it has failed since the JVM started. */
  public static Set<String> firedAt() {
    return new TreeSet<>(FIRED_AT);
  }

  /** The places reached since the last call. */
  public static Set<String> reached() {
    Set<String> reached = new TreeSet<>(REACHED);
    REACHED.clear();
    return reached;
  }
}
