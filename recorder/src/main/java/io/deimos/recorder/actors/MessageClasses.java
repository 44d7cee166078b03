// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import io.deimos.recorder.base.PekkoNames;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Numbers the classes of messages. Safe for any thread; a thread asks once per class and keeps the
 * answer in its {@code CellTable}.
 */
public final class MessageClasses {
  /** How many classes are told apart; the rest share {@link #OTHER}. */
  static final int CAPACITY = 1 << 14;

  /** Stands for every class beyond {@link #CAPACITY}. */
  public static final MessageClass OTHER = new MessageClass(0, "other", "other", 0);

  private static final Set<String> TRANSPARENT =
      Set.of(
          "org.apache.pekko.actor.ActorSelectionMessage",
          "org.apache.pekko.actor.PoisonPill$",
          "org.apache.pekko.actor.Kill$",
          "org.apache.pekko.actor.Identify",
          "org.apache.pekko.actor.AddressTerminated",
          "org.apache.pekko.actor.typed.internal.PoisonPill$",
          "org.apache.pekko.actor.typed.internal.adapter.GuardianStartupBehavior$Start$",
          "org.apache.pekko.routing.Resize$",
          "org.apache.pekko.routing.Broadcast",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessages",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessagesSuccessful$",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessagesFailed",
          "org.apache.pekko.persistence.JournalProtocol$ReplayMessages",
          "org.apache.pekko.persistence.JournalProtocol$ReplayedMessage",
          "org.apache.pekko.persistence.JournalProtocol$RecoverySuccess",
          "org.apache.pekko.persistence.JournalProtocol$ReplayMessagesFailure",
          "org.apache.pekko.persistence.SnapshotProtocol$LoadSnapshot",
          "org.apache.pekko.persistence.SnapshotProtocol$LoadSnapshotResult",
          "org.apache.pekko.persistence.SnapshotProtocol$LoadSnapshotFailed",
          "org.apache.pekko.persistence.SnapshotProtocol$SaveSnapshot",
          "org.apache.pekko.persistence.RecoveryPermitter$RecoveryPermitGranted$",
          "org.apache.pekko.persistence.Eventsourced$RecoveryTick",
          "org.apache.pekko.persistence.typed.internal.InternalProtocol$RecoveryTickEvent",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$GetSuccess",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$GetFailure",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$UpsertSuccess$",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$UpsertFailure",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$DeleteSuccess$",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$DeleteFailure",
          "org.apache.pekko.persistence.typed.state.internal.InternalProtocol$RecoveryTimeout$");

  private static final Set<String> WRAPPERS =
      Set.of(
          "org.apache.pekko.actor.typed.internal.AdaptMessage",
          "org.apache.pekko.actor.typed.internal.AdaptWithRegisteredMessageAdapter",
          "org.apache.pekko.actor.typed.internal.TimerSchedulerImpl$TimerMsg",
          "org.apache.pekko.actor.TimerSchedulerImpl$TimerMsg",
          "org.apache.pekko.actor.TimerSchedulerImpl$InfluenceReceiveTimeoutTimerMsg",
          "org.apache.pekko.actor.TimerSchedulerImpl$NotInfluenceReceiveTimeoutTimerMsg",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessageSuccess",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessageRejected",
          "org.apache.pekko.persistence.JournalProtocol$WriteMessageFailure",
          "org.apache.pekko.persistence.JournalProtocol$LoopMessageSuccess");

  private static final Map<String, MessageClass> BY_NAME = new ConcurrentHashMap<>();
  private static final AtomicReferenceArray<MessageClass> BY_ID =
      new AtomicReferenceArray<>(CAPACITY);
  private static final LongAdder FOLDED = new LongAdder();
  private static int next = 1;

  static {
    BY_ID.set(0, OTHER);
  }

  private MessageClasses() {}

  /** The number of a class; {@link #OTHER} once {@link #CAPACITY} is used up, which is counted. */
  public static MessageClass of(Class<?> type) {
    MessageClass known = BY_NAME.get(type.getName());
    return known != null ? known : register(type.getName(), Marks.of(type));
  }

  public static MessageClass of(String name) {
    MessageClass known = BY_NAME.get(name);
    return known != null ? known : register(name, 0);
  }

  private static synchronized MessageClass register(String name, int marks) {
    MessageClass known = BY_NAME.get(name);
    if (known != null) {
      return known;
    }
    if (next == CAPACITY) {
      FOLDED.increment();
      return OTHER;
    }
    String pekkos = PekkoNames.of(name);
    int flags =
        marks
            | (TRANSPARENT.contains(pekkos) ? MessageClass.TRANSPARENT : 0)
            | (WRAPPERS.contains(pekkos) ? MessageClass.WRAPPER : 0)
            | (isPekkos(pekkos) ? MessageClass.PEKKO : 0)
            | (name.startsWith("io.deimos.pekko.selftest.") ? MessageClass.HIDDEN : 0);
    MessageClass added = new MessageClass(next++, name, simpleName(name), flags);
    BY_ID.set(added.id(), added);
    BY_NAME.put(name, added);
    return added;
  }

  /** {@code Done} and {@code NotUsed} are Pekko's by name only: applications send them. */
  private static boolean isPekkos(String name) {
    return name.startsWith("org.apache.pekko.")
        && !name.equals("org.apache.pekko.Done$")
        && !name.equals("org.apache.pekko.NotUsed$");
  }

  /** The class with a number taken from a record. */
  public static MessageClass byId(int id) {
    MessageClass known = BY_ID.get(id);
    return known == null ? OTHER : known;
  }

  /** How often a class was asked for that had to share {@link #OTHER}. */
  public static long folded() {
    return FOLDED.sum();
  }

  /**
   * {@code a.b.Outer$Inner$} becomes {@code Inner}; a lambda or anonymous class keeps its owner's.
   */
  static String simpleName(String name) {
    int lambda = name.indexOf("$$Lambda");
    String base = lambda > 0 ? name.substring(0, lambda) : name;
    while (base.endsWith("$") || base.endsWith(";")) {
      base = base.substring(0, base.length() - 1);
    }
    int cut = Math.max(base.lastIndexOf('.'), base.lastIndexOf('$'));
    String last = base.substring(cut + 1);
    return last.isEmpty() || Character.isDigit(last.charAt(0))
        ? base.substring(base.lastIndexOf('.') + 1)
        : last;
  }
}
