// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.Folds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One class of actors in one actor system and one group of paths, with the counts that are too rare
 * to need a thread's own cell. Safe for any thread.
 */
public final class ActorKind {
  /** How many exception classes are told apart; the rest count as {@code other}. */
  public static final int MAX_ERROR_TYPES = 64;

  /** How many sets of rules are told apart within a class; beyond, the class's own hold. */
  public static final int MAX_VARIANTS = 256;

  private final int id;
  private final String system;
  private final String className;
  private final String group;
  private final boolean silent;
  private final boolean provisional;
  private final boolean hidden;
  private final int marks;
  private final ActorKind main;
  private final ActorPolicy policy;
  private final @Nullable ActorChoice chosen;
  private final Map<Variant, ActorKind> variants = new ConcurrentHashMap<>();
  private volatile boolean shown;
  private final LongAdder started = new LongAdder();
  private final LongAdder stopped = new LongAdder();
  private final LongAdder restarted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  ActorKind(
      int id, String system, String className, String group, boolean silent, boolean provisional) {
    this.id = id;
    this.system = system;
    this.className = className;
    this.group = group;
    this.silent = silent;
    this.provisional = provisional;
    this.hidden = isHidden(className);
    this.marks = Marks.ofActor(className);
    this.main = this;
    this.policy = silent ? ActorPolicy.NONE : ActorPolicy.ALL;
    this.chosen = null;
  }

  /** Whether a class is one of the self-test's. */
  static boolean isHidden(String className) {
    return className.startsWith("io.deimos.pekko.selftest.");
  }

  /** A kind of the same class, with other rules. */
  private ActorKind(ActorKind main, ActorPolicy policy, @Nullable ActorChoice chosen) {
    this.id = main.id;
    this.system = main.system;
    this.className = main.className;
    this.group = main.group;
    this.silent = main.silent;
    this.provisional = main.provisional;
    this.hidden = main.hidden;
    this.marks = main.marks;
    this.main = main;
    this.policy = policy;
    this.chosen = chosen;
  }

  /** This class of actors under other rules. Counts are kept for the class. */
  public ActorKind under(ActorPolicy wanted, @Nullable ActorChoice choice) {
    if (policy.equals(wanted) && Objects.equals(chosen, choice)) {
      return this;
    }
    if (main.policy.equals(wanted) && choice == null) {
      return main;
    }
    if (wanted.counted() || wanted.traced()) {
      main.shown = true;
    }
    Variant variant = new Variant(wanted, choice);
    ActorKind known = main.variants.get(variant);
    if (known != null) {
      return known;
    }
    if (main.variants.size() >= MAX_VARIANTS) {
      Folds.countUnruled();
      return main;
    }
    return main.variants.computeIfAbsent(variant, v -> new ActorKind(main, wanted, choice));
  }

  boolean isOf(String ofSystem, String inGroup, boolean pekkos) {
    return silent == pekkos && system.equals(ofSystem) && group.equals(inGroup);
  }

  /** The kind that stands for all actors of the class, whatever the rules. */
  public ActorKind main() {
    return main;
  }

  public ActorPolicy policy() {
    return policy;
  }

  /** The choice made where the actor was made. */
  public @Nullable ActorChoice chosen() {
    return chosen;
  }

  /** A set of {@link Marks}. */
  public int marks() {
    return marks;
  }

  /** True for a class of Pekko's own. */
  public boolean isPekkos() {
    return silent;
  }

  /** The kind that stands for kinds that have no series of their own. */
  public static ActorKind other(String system) {
    return new ActorKind(0, system, ActorKinds.OTHER, ActorGroups.NONE, false, false);
  }

  public int id() {
    return id;
  }

  public String system() {
    return system;
  }

  public String className() {
    return className;
  }

  /** The pattern of path that the actors were grouped by; empty for none. */
  public String group() {
    return group;
  }

  /** True for a class of Pekko's own, unless the user wants to know of it. */
  public boolean isSilent() {
    return silent && !main.shown;
  }

  /** True for the self-test's own actors, which nobody is told of. */
  public boolean isHidden() {
    return hidden;
  }

  /** True while the behaviour of a typed actor, and so its class, is not yet known. */
  public boolean isProvisional() {
    return provisional;
  }

  public long started() {
    return main.started.sum();
  }

  public long stopped() {
    return main.stopped.sum();
  }

  public long live() {
    return Math.max(0, main.started.sum() - main.stopped.sum());
  }

  public long restarted() {
    return main.restarted.sum();
  }

  public long failed() {
    return main.failed.sum();
  }

  /** Failures by exception class. */
  public Map<String, Long> failures() {
    Map<String, Long> copy = new java.util.TreeMap<>();
    main.failures.forEach((type, count) -> copy.put(type, count.sum()));
    return copy;
  }

  public void countStarted(int by) {
    main.started.add(by);
  }

  void countStopped() {
    main.stopped.increment();
  }

  public void countRestarted() {
    main.restarted.increment();
  }

  public void countFailed(Throwable error) {
    countFailed(error.getClass().getName());
  }

  public void countFailed(String type) {
    main.failed.increment();
    LongAdder count = main.failures.get(type);
    if (count == null) {
      boolean room = main.failures.size() < MAX_ERROR_TYPES;
      if (!room) {
        Folds.exception(List.of(className, type));
      }
      count = main.failures.computeIfAbsent(room ? type : "other", t -> new LongAdder());
    }
    count.increment();
  }

  private record Variant(ActorPolicy policy, @Nullable ActorChoice chosen) {}
}
