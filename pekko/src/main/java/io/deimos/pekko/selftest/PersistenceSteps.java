// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

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
    steps.fires("AtomicWrite.<init>");
    steps.fires("JournalProtocol$WriteMessages.<init>");
    steps.fires("JournalProtocol$ReplayMessages.<init>");
    steps.fires("Eventsourced.sendBatchedEventsToJournal");
    steps.fires("Eventsourced.writeEventSucceeded");
    steps.fires("Eventsourced.writeEventRejected");
    steps.fires("Eventsourced.writeEventFailed");
    steps.fires("Eventsourced.peekApplyHandler");
    steps.fires("Eventsourced.requestRecoveryPermit");
    steps.fires("Eventsourced.startRecovery");
    steps.fires("Eventsourced.onReplaySuccess");
    snapshots(steps);
  }

  /** No store takes snapshots here, so each hook is called by itself. */
  private static void snapshots(Steps steps) {
    SnapshotMetadata none = new SnapshotMetadata("deimos-self-test", 0, 0);
    steps.fires("SnapshotProtocol$LoadSnapshot.<init>");
    call(() -> new SnapshotProtocol.SaveSnapshot(none, ""));
    steps.fires("SnapshotProtocol$SaveSnapshot.<init>");
    call(() -> Unmade.of(Persistent.class).saveSnapshot(""));
    steps.fires("Snapshotter.saveSnapshot");
    call(() -> new SaveSnapshotSuccess(none));
    steps.fires("SaveSnapshotSuccess.<init>");
    call(() -> new SaveSnapshotFailure(none, new Child.Failure()));
    steps.fires("SaveSnapshotFailure.<init>");
  }

  /** Calls what has a hook on an object that was never set up: what comes after it may fail. */
  static void call(Unmade.Call call) {
    try {
      call.run();
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Whether the hook has fired is all that counts.
    }
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
    steps.fires("EventSourcedBehaviorImpl.apply");
    steps.fires("JournalInteractions.internalPersist");
    steps.fires("JournalInteractions.internalPersistAll");
    steps.fires("JournalInteractions.requestRecoveryPermit");
    steps.fires("SnapshotInteractions.loadSnapshot");
    steps.fires("Running$PersistingEvents.onJournalResponse");
    steps.fires("ReplayingEvents.onRecoveryCompleted");
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
