// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.PersistenceHooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.persistence.SnapshotMetadata;

/** Copied to where snapshots are loaded and saved. */
@SuppressWarnings("unused") // copied into Pekko
final class SnapshotAdvice {
  private SnapshotAdvice() {}

  /** {@code LoadSnapshot.<init>}: what the store is asked for. */
  static final class Load {
    private Load() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) String persistenceId) {
      PersistenceHooks.snapshotAsked(persistenceId);
    }
  }

  /** {@code SaveSnapshot.<init>}. */
  static final class Save {
    private Save() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) SnapshotMetadata snapshot) {
      PersistenceHooks.snapshotSent(snapshot.persistenceId(), snapshot.sequenceNr());
    }
  }

  /** {@code Snapshotter.saveSnapshot}. */
  static final class Saving {
    private Saving() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return PersistenceHooks.sending(PersistenceHooks.SNAPSHOT_SAVING);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code SnapshotInteractions.internalSaveSnapshot}. */
  static final class TypedSaving {
    private TypedSaving() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return PersistenceHooks.sending(PersistenceHooks.TYPED_SNAPSHOT_SAVING);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code SaveSnapshotSuccess.<init>}: the store's answer, where it is made. */
  static final class Saved {
    private Saved() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) SnapshotMetadata snapshot) {
      PersistenceHooks.snapshotSaved(
          PersistenceHooks.SNAPSHOT_SAVED, snapshot.persistenceId(), snapshot.sequenceNr(), null);
    }
  }

  /** {@code SaveSnapshotFailure.<init>}. */
  static final class Failed {
    private Failed() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) SnapshotMetadata snapshot, @Advice.Argument(1) Throwable error) {
      PersistenceHooks.snapshotSaved(
          PersistenceHooks.SNAPSHOT_FAILED, snapshot.persistenceId(), snapshot.sequenceNr(), error);
    }
  }
}
