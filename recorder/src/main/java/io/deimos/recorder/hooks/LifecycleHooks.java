// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.ActorGroups;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ActorVisit;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.context.Bridges;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.RefFields;
import org.jspecify.annotations.Nullable;

/** Called by woven code when an actor is made, starts, fails, is restarted or ends. */
public final class LifecycleHooks {
  /** The classes in which a classic actor's timers wrap their messages. */
  private static final String CLASSIC_TIMERS = "org.apache.pekko.actor.TimerSchedulerImpl$";

  /** The name of a typed guardian whose behaviour was made by none of the user's classes. */
  private static final String GUARDIAN = "typed guardian";

  private static final String TYPED = "org.apache.pekko.actor.typed.internal.adapter.ActorAdapter";

  private static final ActorGroups GROUPS = new ActorGroups(RecorderConfig.current().groups());

  private LifecycleHooks() {}

  /**
   * A system message comes to an actor that names this reference, perhaps for a look at the actor.
   *
   * @param identity of the reference
   */
  public static void visited(@Nullable Object identity) {
    if (identity instanceof ActorVisit visit) {
      visit.visit();
    }
  }

  /** An actor system is up. */
  public static void systemStarted(Object system, String name) {
    Systems.started(system, name);
  }

  /** An actor of a system is being made, perhaps before the system is up. */
  public static void systemSeen(Object system) {
    Systems.seen(system);
  }

  /**
   * A cell has been made for an actor.
   *
   * @param path Pekko's path, whose {@code toString} is called later and elsewhere
   * @param above the identity of the actor's parent
   * @param tags those the actor was given, if any
   */
  public static void created(
      CellFields cell,
      RefFields self,
      Object path,
      String system,
      Class<?> actorClass,
      @Nullable Object above,
      @Nullable String tags) {
    String name = actorClass.getName();
    Marks.note(name, actorClass);
    String group = GROUPS.of(path);
    boolean typed = PekkoNames.of(name).equals(TYPED);
    ActorKind kind =
        typed
            ? ActorKinds.provisional(system, group, false)
            : ActorKinds.of(actorClass, system, group, isSilent(name));
    ActorTelemetry telemetry = Actors.register(path, kind);
    if (!typed) {
      telemetry.named(name);
    }
    telemetry.rule(InForce.rules(), chosen(above, tags));
    LifecycleSpans.begins(Operation.Kind.START, telemetry);
    cell.deimos$telemetry(telemetry);
    self.deimos$identity(telemetry);
  }

  private static @Nullable ActorChoice chosen(@Nullable Object above, @Nullable String tags) {
    ActorChoice own = tags == null ? null : InForce.rules().chosen(tags);
    ActorChoice aboves = above instanceof ActorTelemetry parent ? parent.kind().chosen() : null;
    if (aboves == null || !aboves.children()) {
      return own;
    }
    return own == null ? aboves : own.or(aboves);
  }

  /** The actor behind a cell is ready for its first message. */
  public static void started(CellFields cell, Object actor) {
    ActorTelemetry telemetry = cell.deimos$telemetry();
    if (telemetry == null) {
      return;
    }
    ActorKind kind = telemetry.kind();
    if (kind.isProvisional()) {
      telemetry.unsettled(actor);
      settle(telemetry);
    } else if (!telemetry.className().equals(actor.getClass().getName())
        && !PekkoNames.of(actor.getClass().getName()).equals(TYPED)) {
      String name = actor.getClass().getName();
      Marks.note(name, actor.getClass());
      settle(telemetry, name);
    }
    telemetry.started();
    LifecycleSpans.ends(Operation.Kind.START, telemetry, null);
  }

  /** A typed actor is known by the class that made its behaviour. */
  static void named(ActorTelemetry telemetry, String className) {
    if (!telemetry.className().equals(className)) {
      settle(telemetry, className);
    }
  }

  /** Looks again for the class of a typed actor. */
  static void settle(ActorTelemetry telemetry) {
    Object actor = telemetry.unsettled();
    String name = actor == null ? null : Bridges.current().className(actor);
    ActorKind kind = telemetry.kind();
    if (name != null) {
      settle(telemetry, name);
    } else if (!telemetry.mayTryAgain()) {
      String stand = telemetry.path().endsWith("/user") ? GUARDIAN : "typed";
      telemetry.settle(ActorKinds.of(kind.system(), stand, kind.group(), kind.isPekkos()), stand);
    }
  }

  /** The same actor under the name of its class, in the group of paths that it is in. */
  private static void settle(ActorTelemetry telemetry, String className) {
    ActorKind kind = telemetry.kind();
    telemetry.settle(
        ActorKinds.of(kind.system(), className, kind.group(), isSilent(className)), className);
  }

  /** The user's actors are those whose class is not Pekko's. */
  private static boolean isSilent(String className) {
    return PekkoNames.isPekkos(className);
  }

  /** An actor has ended for good. */
  public static void stopped(CellFields cell) {
    ActorTelemetry telemetry = cell.deimos$telemetry();
    if (telemetry != null && telemetry.stopped()) {
      LifecycleSpans.stopped(telemetry);
      PersistenceHooks.stopped(telemetry);
      Actors.retire(telemetry);
    }
  }

  /** An actor has been given a new instance or a new behaviour after a failure. */
  public static void restarted(CellFields cell) {
    ActorTelemetry telemetry = cell.deimos$telemetry();
    if (telemetry != null) {
      telemetry.kind().countRestarted();
      Actors.restarted(telemetry);
      LifecycleSpans.ends(Operation.Kind.RESTART, telemetry, null);
      LifecycleEvents.restarted(telemetry);
    }
  }

  /** Typed supervision has restarted the actor at work on this thread. */
  public static void restartedHere() {
    ThreadState s = ThreadState.current();
    ActorTelemetry actor = s == null ? null : s.actor();
    if (actor != null) {
      actor.kind().countRestarted();
      Actors.restarted(actor);
      LifecycleSpans.ends(Operation.Kind.RESTART, actor, null);
      LifecycleEvents.restarted(actor);
    }
  }

  /** An actor has failed and Pekko's supervision takes over. */
  public static void failed(CellFields cell, @Nullable Throwable error) {
    ActorTelemetry telemetry = cell.deimos$telemetry();
    if (telemetry == null || error == null) {
      return;
    }
    PersistenceHooks.failed(telemetry, error);
    ThreadState s = ThreadState.current();
    if (s != null && s.actor() == telemetry) {
      failedHere(s, error);
    } else {
      telemetry.kind().countFailed(error);
      LifecycleSpans.failed(s, telemetry, error);
      LifecycleEvents.failed(telemetry, null, error);
    }
  }

  /** A typed behaviour has thrown; supervision may catch it before Pekko's core sees it. */
  public static void failedHere(Throwable error) {
    ThreadState s = ThreadState.current();
    if (s != null) {
      failedHere(s, error);
    }
  }

  private static void failedHere(ThreadState s, Throwable error) {
    ActorTelemetry actor = s.actor();
    if (actor != null && s.at.record.error == null) {
      s.at.failed(error);
      actor.kind().countFailed(error);
      LifecycleSpans.begins(Operation.Kind.RESTART, actor);
      LifecycleEvents.failed(actor, s.cell(), error);
    }
  }

  /**
   * The message at work on this thread turns out to be a wrapper around {@code message}, or was
   * adapted into it.
   */
  public static void unwrapped(@Nullable Object message) {
    unwrapped(message, ThreadState.current());
  }

  /**
   * As {@link #unwrapped(Object)}. Most messages have no wrapper, and are left after a look at one
   * field.
   *
   * @param s this thread's state, if it has one
   */
  public static void unwrapped(@Nullable Object message, @Nullable ThreadState s) {
    if (s != null && s.at.isWrapped() && message != null) {
      becomes(message, s);
    }
  }

  private static void becomes(Object message, ThreadState s) {
    MessageCell cell = s.cell();
    ActorTelemetry actor = s.actor();
    if (cell == null || actor == null) {
      return;
    }
    MessageCell real = s.lane().cells.get(actor.kind(), message.getClass());
    if (real.transparent) {
      passOn(s);
      return;
    }
    if (real.wrapper) {
      return;
    }
    Frame f = s.at;
    if (f.record.parentId != 0 && PekkoNames.of(cell.message.name()).startsWith(CLASSIC_TIMERS)) {
      f.sentByTimer(); // by an executor's thread, on the way to which the mark is lost
    }
    f.record.cellIndex = real.index;
    f.unwraps();
    Timers.unwrapped(s, s.at, real);
    if (s.isRecording() && real.how != MessageCell.PLAIN) {
      RuledMessages.unwrapped(s, s.at, real, message);
    }
  }

  /**
   * A timer's message turns out to be this one. None if the timer was cancelled or set anew while
   * its message waited: the actor does not get to see it, so it is no message.
   */
  public static void timerSays(@Nullable Object message) {
    if (message != null) {
      unwrapped(message);
      return;
    }
    ThreadState s = ThreadState.current();
    if (s != null && s.at.isWrapped()) {
      passOn(s);
    }
  }

  /** The message in the wrapper gets no span after all; nothing has been sent from it yet. */
  private static void passOn(ThreadState s) {
    if (!s.isRecording()) {
      return;
    }
    Frame f = s.at;
    f.record.work = OpenRecord.NOTHING;
    f.spanId = f.record.parentId;
    if (f.spanId == 0) {
      f.trace = null;
    }
  }
}
