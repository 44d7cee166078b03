// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.context.TraceSampling;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.counts.OperationMetrics;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where an actor writes events or recovers.
 *
 * <p>The work of the journal and the database happens in the operation's span, since that is the
 * context in which the journal is asked. Its answer is processed by the actor in the same context,
 * under the name of the event.
 */
public final class PersistenceHooks {
  public static final Hook SEND = Hook.named("Eventsourced.sendBatchedEventsToJournal");
  public static final Hook SUCCEEDED = Hook.named("Eventsourced.writeEventSucceeded");
  public static final Hook REJECTED = Hook.named("Eventsourced.writeEventRejected");
  public static final Hook FAILED = Hook.named("Eventsourced.writeEventFailed");
  public static final Hook PERMIT = Hook.named("Eventsourced.requestRecoveryPermit");
  public static final Hook START = Hook.named("Eventsourced.startRecovery");
  public static final Hook RECOVERED = Hook.named("Eventsourced.onReplaySuccess");
  public static final Hook SNAPSHOT_SAVE = Hook.named("SnapshotProtocol$SaveSnapshot.<init>");
  public static final Hook SNAPSHOT_SAVING = Hook.named("Snapshotter.saveSnapshot");
  public static final Hook SNAPSHOT_SAVED = Hook.named("SaveSnapshotSuccess.<init>");
  public static final Hook SNAPSHOT_FAILED = Hook.named("SaveSnapshotFailure.<init>");
  public static final Hook TYPED_NAME = Hook.named("EventSourcedBehaviorImpl.apply");
  public static final Hook TYPED_PERSIST = Hook.named("JournalInteractions.internalPersist");
  public static final Hook TYPED_PERSIST_ALL = Hook.named("JournalInteractions.internalPersistAll");
  public static final Hook TYPED_PERMIT = Hook.named("JournalInteractions.requestRecoveryPermit");
  public static final Hook TYPED_LOAD = Hook.named("SnapshotInteractions.loadSnapshot");
  public static final Hook TYPED_RESPONSE =
      Hook.named("Running$PersistingEvents.onJournalResponse");
  public static final Hook TYPED_RECOVERED = Hook.named("ReplayingEvents.onRecoveryCompleted");
  public static final Hook TYPED_SNAPSHOT_SAVING =
      Hook.named("SnapshotInteractions.internalSaveSnapshot");
  public static final Hook STATE_NAME = Hook.named("DurableStateBehaviorImpl.apply");
  public static final Hook STATE_RECOVERED = Hook.named("Recovering.onRecoveryCompleted");
  public static final Hook STATE_PERMIT =
      Hook.named("DurableStateStoreInteractions.requestRecoveryPermit");

  private static final Hook WRITE = Hook.named("AtomicWrite.<init>");
  private static final Hook REQUEST = Hook.named("JournalProtocol$WriteMessages.<init>");
  private static final Hook REPLAY = Hook.named("JournalProtocol$ReplayMessages.<init>");
  private static final Hook APPLY = Hook.named("Eventsourced.peekApplyHandler");
  private static final Hook SNAPSHOT_LOAD = Hook.named("SnapshotProtocol$LoadSnapshot.<init>");
  private static final Hook STATE_ANSWER = Hook.named("Running$PersistingState.onMessage");
  private static final Hook STATE_GET = Hook.named("DurableStateStoreInteractions.internalGet");
  private static final Hook STATE_WRITE =
      Hook.named("DurableStateStoreInteractions.internalUpsert");

  /** How many recoveries are recorded at once; and how many snapshots being saved, and states. */
  private static final int MAX_RECOVERING = 100_000;

  private static final boolean TRACING = RecorderConfig.current().tracing();
  private static final boolean METRICS = RecorderConfig.current().metrics();
  private static final Map<ActorTelemetry, Operation> RECOVERING = new ConcurrentHashMap<>();
  private static final Map<ActorTelemetry, Operation> LOADING = new ConcurrentHashMap<>();
  private static final Map<SnapshotId, Operation> SAVING = new ConcurrentHashMap<>();
  private static final Map<ActorTelemetry, Operation> WRITING_STATE = new ConcurrentHashMap<>();

  private static final MessageCell DECIDED =
      new MessageCell(
          Operation.class,
          ActorKinds.of("", "persistence", true),
          MessageClasses.of("io.deimos.Operation"),
          0);

  private PersistenceHooks() {}

  /**
   * Events are about to be written together, by the actor at work on this thread.
   *
   * @return to be hung on each event; null if nothing is recorded of it
   */
  public static @Nullable Object writeBegins(int events) {
    WRITE.fires();
    ThreadState s = ThreadState.current();
    ActorTelemetry actor = s == null ? null : s.actor();
    if (s == null || actor == null || actor.kind().isSilent() || !Parts.persistence) {
      return null;
    }
    Operation write = begin(s, Operation.Kind.PERSIST, actor);
    write.events(events);
    return write;
  }

  /** One of the events of a write that has begun. */
  public static void writes(@Nullable Object write, String persistenceId, long sequenceNr) {
    if (write instanceof Operation known) {
      RecentEvents.add(persistenceId, sequenceNr, known);
    }
  }

  private static Operation begin(ThreadState s, Operation.Kind kind, ActorTelemetry actor) {
    s.captureCurrent();
    Trace trace = s.capturedTrace;
    long parent = s.capturedSpan;
    Link link = trace == null ? null : trace.link;
    if (trace == null || !trace.hasBegun()) {
      long lo = s.nextId();
      long hi = s.lane().traceHigh(lo);
      boolean sampled =
          TRACING
              && InForce.rules().tracing()
              && TraceSampling.decide(InForce.sampling(), hi, lo, DECIDED);
      trace = new Trace(hi, lo, sampled, trace == null ? null : trace.baseContext());
      parent = 0;
    }
    long span = trace.isSampled() ? s.nextId() : parent;
    return new Operation(kind, actor, trace, link, parent, span, Clock.now());
  }

  /**
   * The request to the journal for writes begins; {@link #writeSent} is for its content.
   *
   * @return what {@link #sent} needs
   */
  public static long sending(Hook hook) {
    hook.fires();
    ThreadState s = ThreadState.current();
    if (s == null) {
      return -1;
    }
    s.writing = true;
    return s.depth();
  }

  /** Messages from here on are sent in the write's context, if one is recorded. */
  public static void writeSent(@Nullable Object write) {
    REQUEST.fires();
    ThreadState s = ThreadState.current();
    if (s != null && s.writing && write instanceof Operation known) {
      s.enter(known.trace(), known.spanId());
    }
  }

  /** Ends {@link #sending} and {@link #recovers}. */
  public static void sent(long token) {
    ThreadState s = ThreadState.current();
    if (s == null || token == -1) {
      return;
    }
    s.writing = false;
    while (s.depth() > token) {
      s.leave(s.at);
    }
  }

  /**
   * The journal has answered for one event, and its handler is about to run.
   *
   * @param write what {@link #writeBegins} returned
   * @param event what was written
   */
  public static void written(
      Hook hook, @Nullable Object write, @Nullable Object event, @Nullable Throwable error) {
    hook.fires();
    ThreadState s = ThreadState.current();
    if (s == null) {
      return;
    }
    if (write instanceof Operation known) {
      if (known.written() || error != null) {
        end(known, error);
      }
      goOn(s, known);
    }
    LifecycleHooks.unwrapped(event);
  }

  /** One answer of the journal may come in the context of another write of the same batch. */
  private static void goOn(ThreadState s, Operation in) {
    if (s.isRecording() && in.trace().isSampled()) {
      s.at.record.hi = in.trace().hi();
      s.at.record.lo = in.trace().lo();
      s.at.trace = in.trace();
      s.at.record.parentId = in.spanId();
    }
  }

  /** A handler runs that waited for the writes before it and wrote nothing itself. */
  public static void applying(@Nullable Object event) {
    APPLY.fires();
    LifecycleHooks.unwrapped(event);
  }

  /**
   * A typed actor takes on a persistent behaviour, whose own class is Pekko's.
   *
   * @param named the user's class it was made by
   */
  public static void named(Hook hook, @Nullable Object identity, @Nullable Class<?> named) {
    hook.fires();
    if (named != null && identity instanceof ActorTelemetry actor) {
      LifecycleHooks.named(actor, named.getName());
    }
  }

  /**
   * An actor begins to recover, or asks for what it needs for it.
   *
   * @param identity the actor's
   * @return what {@link #sent} needs
   */
  public static long recovers(Hook hook, @Nullable Object identity) {
    hook.fires();
    if (!(identity instanceof ActorTelemetry actor) || actor.kind().isSilent()) {
      return -1;
    }
    ThreadState s = ThreadState.currentOrNew();
    int depth = s.depth();
    Operation recovery = RECOVERING.get(actor);
    if (recovery == null) {
      if (!Parts.persistence || RECOVERING.size() >= MAX_RECOVERING) {
        return -1;
      }
      recovery = begin(s, Operation.Kind.RECOVER, actor);
      recovery.events(-1);
      RECOVERING.put(actor, recovery);
    }
    s.enter(recovery.trace(), recovery.spanId());
    s.writing = true;
    return depth;
  }

  /** An actor that recovers asks for its snapshot. */
  public static void snapshotAsked(String persistenceId) {
    SNAPSHOT_LOAD.fires();
    ThreadState s = ThreadState.current();
    ActorTelemetry actor = s == null ? null : s.actor();
    if (s == null || actor == null || !s.writing || !RECOVERING.containsKey(actor)) {
      return;
    }
    Operation load = begin(s, Operation.Kind.LOAD_SNAPSHOT, actor);
    load.events(-1);
    load.persistenceId(persistenceId);
    LOADING.put(actor, load);
    s.enter(load.trace(), load.spanId());
  }

  /** It has its snapshot, or knows that there is none, or fails. */
  private static void snapshotLoaded(ActorTelemetry actor, @Nullable Throwable error) {
    Operation load = LOADING.isEmpty() ? null : LOADING.remove(actor);
    if (load != null) {
      end(load, error);
    }
  }

  /** A snapshot is sent to the store, by the actor at work on this thread. */
  public static void snapshotSent(String persistenceId, long sequenceNr) {
    SNAPSHOT_SAVE.fires();
    ThreadState s = ThreadState.current();
    ActorTelemetry actor = s == null ? null : s.actor();
    if (s == null
        || actor == null
        || !s.writing
        || !Parts.persistence
        || actor.kind().isSilent()
        || SAVING.size() >= MAX_RECOVERING) {
      return;
    }
    Operation save = begin(s, Operation.Kind.SAVE_SNAPSHOT, actor);
    save.events(-1);
    save.persistenceId(persistenceId);
    SAVING.put(new SnapshotId(persistenceId, sequenceNr), save);
    s.enter(save.trace(), save.spanId());
  }

  /** The store has saved a snapshot, or could not. */
  public static void snapshotSaved(
      Hook hook, String persistenceId, long sequenceNr, @Nullable Throwable error) {
    hook.fires();
    Operation save =
        SAVING.isEmpty() ? null : SAVING.remove(new SnapshotId(persistenceId, sequenceNr));
    if (save != null) {
      end(save, error);
    }
  }

  private record SnapshotId(String persistenceId, long sequenceNr) {}

  /**
   * An actor begins to write its state.
   *
   * @param identity the actor's
   * @return what {@link #sent} needs
   */
  public static long stateWrites(@Nullable Object identity, String persistenceId) {
    STATE_WRITE.fires();
    if (!(identity instanceof ActorTelemetry actor)
        || actor.kind().isSilent()
        || !Parts.persistence
        || WRITING_STATE.size() >= MAX_RECOVERING) {
      return -1;
    }
    ThreadState s = ThreadState.currentOrNew();
    int depth = s.depth();
    Operation write = begin(s, Operation.Kind.PERSIST, actor);
    write.events(-1);
    write.persistenceId(persistenceId);
    WRITING_STATE.put(actor, write);
    s.enter(write.trace(), write.spanId());
    return depth;
  }

  /**
   * The store has an answer for the actor at work on this thread.
   *
   * @param answered false for another message, which waits until the state is written
   */
  public static void stateWritten(boolean answered, @Nullable Throwable error) {
    STATE_ANSWER.fires();
    ThreadState s = ThreadState.current();
    ActorTelemetry actor = s == null ? null : s.actor();
    if (answered && actor != null) {
      stateWritten(actor, error);
    }
  }

  private static void stateWritten(ActorTelemetry actor, @Nullable Throwable error) {
    Operation write = WRITING_STATE.isEmpty() ? null : WRITING_STATE.remove(actor);
    if (write != null) {
      end(write, error);
    }
  }

  /** An actor with a durable state begins to recover it. */
  public static long recoversState(@Nullable Object identity, String persistenceId) {
    long token = recovers(STATE_GET, identity);
    Operation recovery = identity instanceof ActorTelemetry actor ? RECOVERING.get(actor) : null;
    if (recovery != null) {
      recovery.persistenceId(persistenceId);
    }
    return token;
  }

  /** The journal is about to be asked for the events of an actor. */
  public static void replays(@Nullable Object identity, long fromSequenceNr, String persistenceId) {
    REPLAY.fires();
    Operation recovery = identity instanceof ActorTelemetry actor ? RECOVERING.get(actor) : null;
    if (recovery != null) {
      snapshotLoaded(recovery.actor(), null);
      recovery.fromSequenceNr(fromSequenceNr);
      recovery.persistenceId(persistenceId);
      goOnIn(recovery);
    }
  }

  /** The answer of the snapshot store is at work here; the journal is asked for the recovery. */
  private static void goOnIn(Operation recovery) {
    ThreadState s = ThreadState.current();
    if (s != null && s.actor() == recovery.actor() && !s.isRecording()) {
      s.at.goOnIn(recovery.trace(), recovery.spanId());
    }
  }

  /**
   * An actor has recovered, or has failed to.
   *
   * @param lastSequenceNr of the last event; -1 if there are none to count
   */
  public static void recovered(Hook hook, @Nullable Object identity, long lastSequenceNr) {
    hook.fires();
    recovered(identity, lastSequenceNr, null);
  }

  private static void recovered(
      @Nullable Object identity, long lastSequenceNr, @Nullable Throwable error) {
    Operation recovery = identity instanceof ActorTelemetry actor ? RECOVERING.remove(actor) : null;
    if (recovery == null) {
      return;
    }
    snapshotLoaded(recovery.actor(), error);
    if (lastSequenceNr >= 0 && recovery.fromSequenceNr() > 0) {
      recovery.events(Math.max(0, lastSequenceNr - recovery.fromSequenceNr() + 1));
    }
    end(recovery, error);
  }

  /** An actor has failed; if it was recovering, it has failed to. */
  static void failed(ActorTelemetry actor, Throwable error) {
    stateWritten(actor, error);
    if (!RECOVERING.isEmpty()) {
      recovered(actor, -1, error);
    }
  }

  /** An actor has stopped; what it waited for will not come. */
  static void stopped(ActorTelemetry actor) {
    if (!WRITING_STATE.isEmpty()) {
      WRITING_STATE.remove(actor);
    }
    if (!RECOVERING.isEmpty() && RECOVERING.containsKey(actor)) {
      recovered(actor, -1, new NotRecoveredException());
    }
  }

  /** Stands for the failure of which a classic actor tells nobody but its log. */
  private static final class NotRecoveredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotRecoveredException() {
      super("the actor stopped before it had recovered", null, false, false);
    }
  }

  private static void end(Operation operation, @Nullable Throwable error) {
    if (!operation.end()) {
      return;
    }
    long duration = Clock.now() - operation.startNanos();
    ActorTelemetry actor = operation.actor();
    if (METRICS && !actor.kind().isHidden()) {
      OperationMetrics.add(operation, duration, error);
    }
    if (!operation.trace().isSampled() || !TRACING) {
      return;
    }
    OperationRecord.write(operation, duration, DECIDED.message.id(), error);
  }
}
