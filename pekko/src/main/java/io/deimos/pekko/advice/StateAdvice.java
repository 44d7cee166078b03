// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.PersistenceHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.apache.pekko.persistence.typed.state.internal.DurableStateStoreInteractions;
import org.apache.pekko.persistence.typed.state.internal.InternalProtocol;
import org.apache.pekko.persistence.typed.state.internal.Recovering;
import org.jspecify.annotations.Nullable;

/** Copied into typed persistence of durable state. */
@SuppressWarnings("unused") // copied into Pekko
final class StateAdvice {
  private StateAdvice() {}

  /** {@code DurableStateBehaviorImpl.apply}: from here on none of the classes is the user's. */
  static final class Named {
    private Named() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(0) TypedActorContext<?> context,
        @Advice.FieldValue("loggerClass") @Nullable Class<?> named) {
      PersistenceHooks.named(
          PersistenceHooks.STATE_NAME,
          context == null
              ? null
              : ((RefFields) (Object) ActorRefAdapter.toClassic(context.asJava().getSelf()))
                  .deimos$identity(),
          named);
    }
  }

  /** {@code DurableStateStoreInteractions.requestRecoveryPermit}. */
  static final class Permit {
    private Permit() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This DurableStateStoreInteractions<?, ?> actor) {
      return PersistenceHooks.recovers(
          PersistenceHooks.STATE_PERMIT,
          actor.setup() == null
              ? null
              : ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code DurableStateStoreInteractions.internalGet}. */
  static final class Get {
    private Get() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This DurableStateStoreInteractions<?, ?> actor) {
      return actor.setup() == null
          ? PersistenceHooks.recoversState(null, "")
          : PersistenceHooks.recoversState(
              ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity(),
              actor.setup().persistenceId().id());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code Recovering.onRecoveryCompleted}. */
  static final class Recovered {
    private Recovered() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Recovering<?, ?> actor) {
      PersistenceHooks.recovered(
          PersistenceHooks.STATE_RECOVERED,
          actor.setup() == null
              ? null
              : ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity(),
          -1);
    }
  }

  /** {@code DurableStateStoreInteractions.internalUpsert}. */
  static final class Write {
    private Write() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter(@Advice.This DurableStateStoreInteractions<?, ?> actor) {
      return actor.setup() == null
          ? PersistenceHooks.stateWrites(null, "")
          : PersistenceHooks.stateWrites(
              ((RefFields) (Object) actor.setup().selfClassic()).deimos$identity(),
              actor.setup().persistenceId().id());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      PersistenceHooks.sent(token);
    }
  }

  /** {@code PersistingState.onMessage}. */
  static final class Answer {
    private Answer() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable InternalProtocol message) {
      PersistenceHooks.stateWritten(
          message instanceof InternalProtocol.UpsertFailure
              || message instanceof InternalProtocol.UpsertSuccess$,
          message instanceof InternalProtocol.UpsertFailure failed ? failed.cause() : null);
    }
  }
}
