// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Numbers the actor classes of all systems in this process. Safe for any thread. */
public final class ActorKinds {
  /** How many classes are told apart; the rest share one kind per system, named {@code other}. */
  static final int CAPACITY = 4096;

  private static final Map<String, ActorKind> BY_KEY = new ConcurrentHashMap<>();

  private ActorKinds() {}

  /** The kind of a class whose name is known. */
  public static ActorKind of(String system, String className, boolean silent) {
    return get(system, className, ActorGroups.NONE, silent, false);
  }

  /** The same class in another group of paths. */
  static ActorKind of(String system, String className, String group, boolean silent) {
    return get(system, className, group, silent, false);
  }

  /** A stand-in for a typed actor whose behaviour has not been seen yet. */
  static ActorKind provisional(String system, String group, boolean silent) {
    return get(system, "typed", group, silent, true);
  }

  private static ActorKind get(
      String system, String className, String group, boolean silent, boolean provisional) {
    String key = system + '\n' + className + '\n' + group + '\n' + silent + provisional;
    ActorKind known = BY_KEY.get(key);
    if (known != null) {
      return known;
    }
    boolean room = BY_KEY.size() < CAPACITY;
    if (!room) {
      Folds.actorClass(key);
    }
    return BY_KEY.computeIfAbsent(
        room ? key : system + "\nother\n" + silent,
        k ->
            new ActorKind(
                BY_KEY.size() + 1,
                system,
                room ? className : "other",
                room ? group : ActorGroups.NONE,
                silent,
                provisional));
  }

  /** Every kind seen so far, silent ones included; not the self-test's, nor an empty stand-in. */
  public static Collection<ActorKind> all() {
    return BY_KEY.values().stream()
        .filter(kind -> !kind.isHidden() && !(kind.isProvisional() && kind.started() == 0))
        .toList();
  }
}
