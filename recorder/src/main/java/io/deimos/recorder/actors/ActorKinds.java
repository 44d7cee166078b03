// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Numbers the actor classes of all systems in this process. Safe for any thread. */
public final class ActorKinds {
  /** How many kinds are told apart. */
  private static final int CAPACITY = 4096;

  /** The name of the kinds that stand for all classes beyond. */
  public static final String OTHER = "other";

  private static final KindTable TABLE = new KindTable(CAPACITY);

  /** The kind that a class had last, kept by the class itself, so that it ends with its loader. */
  private static final ClassValue<@Nullable ActorKind[]> LAST =
      new ClassValue<>() {
        @Override
        protected @Nullable ActorKind[] computeValue(Class<?> type) {
          return new ActorKind[1];
        }
      };

  private ActorKinds() {}

  /** The kind of actors of a class; without a look into the table if it is as the last time. */
  public static ActorKind of(Class<?> type, String system, String group, boolean silent) {
    @Nullable ActorKind[] last = LAST.get(type);
    ActorKind known = last[0];
    if (known != null && known.isOf(system, group, silent)) {
      return known;
    }
    ActorKind found = TABLE.get(system, type.getName(), group, silent, false);
    last[0] = found;
    return found;
  }

  /** The kind of a class whose name is known. */
  public static ActorKind of(String system, String className, boolean silent) {
    return TABLE.get(system, className, ActorGroups.NONE, silent, false);
  }

  /** The same class in another group of paths. */
  public static ActorKind of(String system, String className, String group, boolean silent) {
    return TABLE.get(system, className, group, silent, false);
  }

  /** A stand-in for a typed actor whose behaviour has not been seen yet. */
  public static ActorKind provisional(String system, String group, boolean silent) {
    return TABLE.get(system, "typed", group, silent, true);
  }

  /** Every kind seen so far, silent ones included; not the self-test's, nor an empty stand-in. */
  public static Collection<ActorKind> all() {
    return TABLE.all().stream()
        .filter(kind -> !kind.isHidden() && !(kind.isProvisional() && kind.started() == 0))
        .toList();
  }
}
