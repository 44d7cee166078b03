// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.PersistenceHook;
import io.deimos.recorder.hooks.PersistenceHooks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetterSuppression;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.internal.adapter.PropsAdapter;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.Eventsourced;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.SaveSnapshotFailure;
import org.apache.pekko.persistence.SaveSnapshotSuccess;
import org.apache.pekko.persistence.SnapshotMetadata;
import org.apache.pekko.persistence.SnapshotProtocol;

/**
 * Persistent actors, classic and typed, each with one life from recovery to a written event. Their
 * journal is Pekko's own in memory, which is started for it.
 */
final class PersistenceSteps {
  static final String JOURNAL = "pekko.persistence.journal.inmem";
  static final String SNAPSHOTS = "pekko.persistence.no-snapshot-store";

  private static final int START_SECONDS = 60;

  private PersistenceSteps() {}

  static void classic(Steps steps, ExtendedActorSystem system) {
    CompletableFuture<Boolean> written = new CompletableFuture<>();
    live(
        steps,
        written,
        () -> Props.create(Persistent.class, () -> new Persistent(written)),
        "persistent");
    check(steps, "AtomicWrite.<init>", PersistenceHook.WRITE);
    check(steps, "JournalProtocol$WriteMessages.<init>", PersistenceHook.REQUEST);
    check(steps, "JournalProtocol$ReplayMessages.<init>", PersistenceHook.REPLAY);
    check(steps, "Eventsourced.sendBatchedEventsToJournal", PersistenceHook.SEND);
    check(steps, "Eventsourced.writeEventSucceeded", PersistenceHook.SUCCEEDED);
    check(steps, "Eventsourced.writeEventRejected", PersistenceHook.REJECTED);
    check(steps, "Eventsourced.writeEventFailed", PersistenceHook.FAILED);
    check(steps, "Eventsourced.peekApplyHandler", PersistenceHook.APPLY);
    check(steps, "Eventsourced.requestRecoveryPermit", PersistenceHook.PERMIT);
    check(steps, "Eventsourced.startRecovery", PersistenceHook.START);
    check(steps, "Eventsourced.onReplaySuccess", PersistenceHook.RECOVERED);
    snapshots(steps);
  }

  /** No store takes snapshots here, so each hook is called by itself. */
  private static void snapshots(Steps steps) {
    SnapshotMetadata none = new SnapshotMetadata("deimos-self-test", 0, 0);
    check(steps, "SnapshotProtocol$LoadSnapshot.<init>", PersistenceHook.SNAPSHOT_LOAD);
    call(() -> new SnapshotProtocol.SaveSnapshot(none, ""));
    check(steps, "SnapshotProtocol$SaveSnapshot.<init>", PersistenceHook.SNAPSHOT_SAVE);
    call(() -> Unmade.of(Persistent.class).saveSnapshot(""));
    check(steps, "Snapshotter.saveSnapshot", PersistenceHook.SNAPSHOT_SAVING);
    call(() -> new SaveSnapshotSuccess(none));
    check(steps, "SaveSnapshotSuccess.<init>", PersistenceHook.SNAPSHOT_SAVED);
    call(() -> new SaveSnapshotFailure(none, new Child.Failure()));
    check(steps, "SaveSnapshotFailure.<init>", PersistenceHook.SNAPSHOT_FAILED);
  }

  /** Calls what has a hook on an object that was never set up: what comes after it may fail. */
  static void call(Unmade.Call call) {
    try {
      call.run();
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Whether the hook has fired is all that counts.
    }
  }

  static void check(Steps steps, String name, PersistenceHook hook) {
    steps.check(name, () -> steps.until(() -> PersistenceHooks.hasFired(hook)));
  }

  /** Starts an actor and waits until it has done what it is for. */
  private static void live(
      Steps steps, CompletableFuture<Boolean> done, Supplier<Props> props, String named) {
    try {
      steps.inActor(
          c -> {
            ActorRef actor = c.classicContext().actorOf(props.get(), named);
            actor.tell(new Persistent.Begin(), ActorRef.noSender());
            if (!named.equals("persistent")) {
              actor.tell(new Persistent.Begin(), ActorRef.noSender());
            }
            return true;
          });
      done.get(START_SECONDS, TimeUnit.SECONDS); // a journal is started for the first of them
    } catch (Exception e) {
      done.complete(false); // its hooks are then named as missing
    }
  }

  static void typed(Steps steps) {
    CompletableFuture<Boolean> written = new CompletableFuture<>();
    live(
        steps,
        written,
        () ->
            PropsAdapter.apply(
                new scala.runtime.AbstractFunction0<Behavior<Object>>() {
                  @Override
                  public Behavior<Object> apply() {
                    return new TypedPersistent(written);
                  }
                },
                org.apache.pekko.actor.typed.Props.empty(),
                false),
        "typed-persistent");
    check(steps, "EventSourcedBehaviorImpl.apply", PersistenceHook.TYPED_NAME);
    check(steps, "JournalInteractions.internalPersist", PersistenceHook.TYPED_PERSIST);
    check(steps, "JournalInteractions.internalPersistAll", PersistenceHook.TYPED_PERSIST_ALL);
    check(steps, "JournalInteractions.requestRecoveryPermit", PersistenceHook.TYPED_PERMIT);
    check(steps, "SnapshotInteractions.loadSnapshot", PersistenceHook.TYPED_LOAD);
    check(steps, "Running$PersistingEvents.onJournalResponse", PersistenceHook.TYPED_RESPONSE);
    check(steps, "ReplayingEvents.onRecoveryCompleted", PersistenceHook.TYPED_RECOVERED);
  }

  /** Writes one event, is told by hand of another that was not written, and stops. */
  static final class Persistent extends AbstractPersistentActor {
    /** Sets it going. */
    record Begin() implements NoSerializationVerificationNeeded, DeadLetterSuppression {}

    private final CompletableFuture<Boolean> written;

    Persistent(CompletableFuture<Boolean> written) {
      this.written = written;
    }

    @Override
    public String persistenceId() {
      return "deimos-self-test";
    }

    @Override
    public String journalPluginId() {
      return JOURNAL;
    }

    @Override
    public String snapshotPluginId() {
      return SNAPSHOTS;
    }

    @Override
    public AbstractActor.Receive createReceiveRecover() {
      return receiveBuilder().matchAny(event -> {}).build();
    }

    @Override
    public AbstractActor.Receive createReceive() {
      return receiveBuilder()
          .match(Begin.class, begin -> persist("event", event -> written()))
          .build();
    }

    private void written() {
      Eventsourced self = this;
      PersistentRepr lost =
          PersistentRepr.apply(
              "lost",
              0,
              persistenceId(),
              PersistentRepr.Undefined(),
              false,
              ActorRef.noSender(),
              PersistentRepr.Undefined());
      self.org$apache$pekko$persistence$Eventsourced$$writeEventRejected(lost, new Child.Failure());
      self.org$apache$pekko$persistence$Eventsourced$$writeEventFailed(lost, new Child.Failure());
      written.complete(true);
      getContext().stop(getSelf());
    }

    @Override
    public void onPersistFailure(Throwable cause, Object event, long sequenceNr) {
      // The failure is the test's own; the log need not know.
    }

    @Override
    public void onPersistRejected(Throwable cause, Object event, long sequenceNr) {
      // likewise
    }
  }
}
