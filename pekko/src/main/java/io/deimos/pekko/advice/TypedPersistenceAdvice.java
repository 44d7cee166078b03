// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.PersistenceHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.Tagged;
import org.apache.pekko.persistence.typed.internal.JournalInteractions;
import org.apache.pekko.persistence.typed.internal.ReplayingEvents;
import org.apache.pekko.persistence.typed.internal.SnapshotInteractions;

/** Copied into typed persistence. */
@SuppressWarnings("unused") // copied into Pekko
final class TypedPersistenceAdvice {
  private TypedPersistenceAdvice() {}

  /** {@code EventSourcedBehaviorImpl.apply}: from here on none of the classes is the user's. */
  static final class Named {
    private Named() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(0) TypedActorContext<?> context,
        @Advice.FieldValue("loggerClass") Class<?> named) {
      PersistenceHooks.named(
          PersistenceHooks.TYPED_NAME,
          ((RefFields) (Object) ActorRefAdapter.toClassic(context.asJava().getSelf()))
              .deimos$identity(),
          named);
    }
  }

  /** {@code PersistingEvents.onJournalResponse}. */
  static final class Response {
    private Response() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) JournalProtocol.Response response) {
      PersistentRepr event = null;
      Throwable error = null;
      if (response instanceof JournalProtocol.WriteMessageSuccess done) {
        event = done.persistent();
      } else if (response instanceof JournalProtocol.WriteMessageFailure failed) {
        event = failed.message();
        error = failed.cause();
      } else if (response instanceof JournalProtocol.WriteMessageRejected refused) {
        event = refused.message();
        error = refused.cause();
      }
      if (event != null) {
        PersistenceHooks.written(
            PersistenceHooks.TYPED_RESPONSE,
            ((RefFields) event).deimos$identity(),
            event.payload() instanceof Tagged tagged ? tagged.payload() : event.payload(),
            error);
      }
    }
  }

  /** {@code JournalInteractions.requestRecoveryPermit}. */
  static final class Permit {
    private Permit() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This JournalInteractions<?, ?, ?> actor) {
      return PersistenceHooks.recovers(
          PersistenceHooks.TYPED_PERMIT,
          ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code SnapshotInteractions.loadSnapshot}, the first thing a recovery does. */
  static final class Load {
    private Load() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This SnapshotInteractions<?, ?, ?> actor) {
      return PersistenceHooks.recovers(
          PersistenceHooks.TYPED_LOAD,
          ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code ReplayingEvents.onRecoveryCompleted}. */
  static final class Recovered {
    private Recovered() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.This ReplayingEvents<?, ?, ?> actor,
        @Advice.Argument(0) ReplayingEvents.ReplayingState<?> state) {
      PersistenceHooks.recovered(
          PersistenceHooks.TYPED_RECOVERED,
          ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity(),
          state.seqNr());
    }
  }

  /** {@code JournalInteractions.internalPersist}. */
  static final class Persist {
    private Persist() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return PersistenceHooks.sending(PersistenceHooks.TYPED_PERSIST);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code JournalInteractions.internalPersistAll}. */
  static final class PersistAll {
    private PersistAll() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return PersistenceHooks.sending(PersistenceHooks.TYPED_PERSIST_ALL);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }
}
