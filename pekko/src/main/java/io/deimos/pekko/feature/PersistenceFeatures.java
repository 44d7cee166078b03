// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Writes, recoveries and snapshots. */
final class PersistenceFeatures {
  static final Feature PERSISTENCE =
      Feature.named("PERSISTENCE")
          .usedWith("org.apache.pekko.persistence.AtomicWrite")
          .needs(Need.PERSISTENCE)
          .in("org.apache.pekko.persistence.PersistentImpl")
          .fields(RefFields.class)
          .in("org.apache.pekko.persistence.AtomicWrite")
          .constructor()
          .takes("scala.collection.immutable.Seq")
          .weave("PersistenceAdvice$Write")
          .in("org.apache.pekko.persistence.JournalProtocol$WriteMessages")
          .constructor()
          .takes("scala.collection.immutable.Seq", "org.apache.pekko.actor.ActorRef", "int")
          .weave("PersistenceAdvice$Request")
          .in("org.apache.pekko.persistence.JournalProtocol$ReplayMessages")
          .constructor()
          .takes("long", "long", "long", "java.lang.String", "org.apache.pekko.actor.ActorRef")
          .weave("PersistenceAdvice$Replays")
          .in("org.apache.pekko.persistence.Eventsourced")
          .method("sendBatchedEventsToJournal")
          .takes("scala.collection.immutable.Vector")
          .weave("PersistenceAdvice$Sending")
          .method("org$apache$pekko$persistence$Eventsourced$$writeEventSucceeded")
          .takes("org.apache.pekko.persistence.PersistentRepr")
          .weave("PersistenceAdvice$Succeeded")
          .method("org$apache$pekko$persistence$Eventsourced$$writeEventRejected")
          .takes("org.apache.pekko.persistence.PersistentRepr", "java.lang.Throwable")
          .weave("PersistenceAdvice$Rejected")
          .method("org$apache$pekko$persistence$Eventsourced$$writeEventFailed")
          .takes("org.apache.pekko.persistence.PersistentRepr", "java.lang.Throwable")
          .weave("PersistenceAdvice$Failed")
          .method("org$apache$pekko$persistence$Eventsourced$$peekApplyHandler")
          .takes("java.lang.Object")
          .weave("PersistenceAdvice$Apply")
          .method("requestRecoveryPermit")
          .weave("PersistenceAdvice$Permit")
          .method("org$apache$pekko$persistence$Eventsourced$$startRecovery")
          .takes("org.apache.pekko.persistence.Recovery")
          .weave("PersistenceAdvice$Start")
          .method("onReplaySuccess")
          .weave("PersistenceAdvice$Recovered")
          .in("org.apache.pekko.persistence.SnapshotProtocol$LoadSnapshot")
          .constructor()
          .takes(
              "java.lang.String", "org.apache.pekko.persistence.SnapshotSelectionCriteria", "long")
          .weave("SnapshotAdvice$Load")
          .in("org.apache.pekko.persistence.SnapshotProtocol$SaveSnapshot")
          .constructor()
          .takes("org.apache.pekko.persistence.SnapshotMetadata", "java.lang.Object")
          .weave("SnapshotAdvice$Save")
          .in("org.apache.pekko.persistence.Snapshotter")
          .method("saveSnapshot")
          .takes("java.lang.Object")
          .weave("SnapshotAdvice$Saving")
          .in("org.apache.pekko.persistence.SaveSnapshotSuccess")
          .constructor()
          .takes("org.apache.pekko.persistence.SnapshotMetadata")
          .weave("SnapshotAdvice$Saved")
          .in("org.apache.pekko.persistence.SaveSnapshotFailure")
          .constructor()
          .takes("org.apache.pekko.persistence.SnapshotMetadata", "java.lang.Throwable")
          .weave("SnapshotAdvice$Failed")
          .build();

  static final Feature TYPED_PERSISTENCE =
      Feature.named("TYPED_PERSISTENCE")
          .usedWith("org.apache.pekko.persistence.typed.internal.EventSourcedBehaviorImpl")
          .needs(Need.PERSISTENCE)
          .in("org.apache.pekko.persistence.typed.internal.EventSourcedBehaviorImpl")
          .method("apply")
          .takes("org.apache.pekko.actor.typed.TypedActorContext")
          .weave("TypedPersistenceAdvice$Named")
          .in("org.apache.pekko.persistence.typed.internal.JournalInteractions")
          .method("internalPersist")
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "java.lang.Object",
              "org.apache.pekko.persistence.typed.internal.Running$RunningState",
              "java.lang.Object",
              "java.lang.String",
              "java.lang.Object")
          .weave("TypedPersistenceAdvice$Persist")
          .method("internalPersistAll")
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "java.lang.Object",
              "org.apache.pekko.persistence.typed.internal.Running$RunningState",
              "scala.collection.immutable.Seq")
          .weave("TypedPersistenceAdvice$PersistAll")
          .method("requestRecoveryPermit")
          .weave("TypedPersistenceAdvice$Permit")
          .in("org.apache.pekko.persistence.typed.internal.SnapshotInteractions")
          .method("internalSaveSnapshot")
          .takes("org.apache.pekko.persistence.typed.internal.Running$RunningState")
          .weave("SnapshotAdvice$TypedSaving")
          .method("loadSnapshot")
          .takes("org.apache.pekko.persistence.SnapshotSelectionCriteria", "long")
          .weave("TypedPersistenceAdvice$Load")
          .in("org.apache.pekko.persistence.typed.internal.Running$PersistingEvents")
          .method("onJournalResponse")
          .takes("org.apache.pekko.persistence.JournalProtocol$Response")
          .weave("TypedPersistenceAdvice$Response")
          .in("org.apache.pekko.persistence.typed.internal.ReplayingEvents")
          .method("onRecoveryCompleted")
          .takes("org.apache.pekko.persistence.typed.internal.ReplayingEvents$ReplayingState")
          .weave("TypedPersistenceAdvice$Recovered")
          .build();

  static final Feature DURABLE_STATE =
      Feature.named("DURABLE_STATE")
          .usedWith("org.apache.pekko.persistence.typed.state.internal.DurableStateBehaviorImpl")
          .needs(Need.PERSISTENCE)
          .in("org.apache.pekko.persistence.typed.state.internal.DurableStateBehaviorImpl")
          .method("apply")
          .takes("org.apache.pekko.actor.typed.TypedActorContext")
          .weave("StateAdvice$Named")
          .in("org.apache.pekko.persistence.typed.state.internal.DurableStateStoreInteractions")
          .method("requestRecoveryPermit")
          .weave("StateAdvice$Permit")
          .method("internalGet")
          .takes("org.apache.pekko.actor.typed.scaladsl.ActorContext")
          .weave("StateAdvice$Get")
          .in("org.apache.pekko.persistence.typed.state.internal.Recovering")
          .method("onRecoveryCompleted")
          .takes("org.apache.pekko.persistence.typed.state.internal.Recovering$RecoveryState")
          .weave("StateAdvice$Recovered")
          .in("org.apache.pekko.persistence.typed.state.internal.DurableStateStoreInteractions")
          .method("internalUpsert")
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "java.lang.Object",
              "org.apache.pekko.persistence.typed.state.internal.Running$RunningState",
              "java.lang.Object")
          .weave("StateAdvice$Write")
          .in("org.apache.pekko.persistence.typed.state.internal.Running$PersistingState")
          .method("onMessage")
          .takes("org.apache.pekko.persistence.typed.state.internal.InternalProtocol")
          .weave("StateAdvice$Answer")
          .build();

  static final List<Feature> ALL = List.of(PERSISTENCE, TYPED_PERSISTENCE, DURABLE_STATE);

  private PersistenceFeatures() {}
}
