// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.Folds;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Kinds by what they are of. Safe for any thread.
 *
 * <p><b>Full.</b> The rest of each system shares one kind, named {@link ActorKinds#OTHER}; how many
 * classes that are is counted. Only what is no class of the user's finds room beyond: the
 * self-test's few, which nobody shall be told of under another name, and the stand-ins for typed
 * actors, which the next message settles.
 */
final class KindTable {
  private final Map<Key, ActorKind> byKey = new ConcurrentHashMap<>();
  private final int capacity;

  /**
   * @param capacity how many kinds are told apart
   */
  KindTable(int capacity) {
    this.capacity = capacity;
  }

  ActorKind get(
      String system, String className, String group, boolean silent, boolean provisional) {
    Key key = new Key(system, className, group, silent, provisional);
    ActorKind known = byKey.get(key);
    if (known != null) {
      return known;
    }
    if (byKey.size() < capacity || provisional || ActorKind.isHidden(className)) {
      return byKey.computeIfAbsent(key, this::make);
    }
    Folds.actorClass(key);
    return byKey.computeIfAbsent(
        new Key(system, ActorKinds.OTHER, ActorGroups.NONE, silent, false), this::make);
  }

  private ActorKind make(Key key) {
    return new ActorKind(
        byKey.size() + 1, key.system, key.className, key.group, key.silent, key.provisional);
  }

  Collection<ActorKind> all() {
    return byKey.values();
  }

  /**
   * Compares by itself: what a record would have for it is linked when the first actor is made, and
   * takes longer than that.
   */
  private record Key(
      String system, String className, String group, boolean silent, boolean provisional) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && className.equals(key.className)
          && system.equals(key.system)
          && group.equals(key.group)
          && silent == key.silent
          && provisional == key.provisional;
    }

    @Override
    public int hashCode() {
      int hash = 31 * (31 * className.hashCode() + system.hashCode()) + group.hashCode();
      return 4 * hash + (silent ? 2 : 0) + (provisional ? 1 : 0);
    }
  }
}
