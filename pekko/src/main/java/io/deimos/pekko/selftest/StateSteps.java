// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import static io.deimos.pekko.selftest.PersistenceSteps.call;

import java.lang.reflect.Method;
import org.apache.pekko.persistence.typed.state.internal.DurableStateBehaviorImpl;
import org.apache.pekko.persistence.typed.state.internal.InternalProtocol;
import org.apache.pekko.persistence.typed.state.internal.Recovering;
import org.apache.pekko.persistence.typed.state.internal.Running;

/**
 * Stores that typed actors have and the self-test has not: snapshots and durable state. Each hook
 * is called by itself, on an object that was never set up.
 */
final class StateSteps {
  private StateSteps() {}

  static void snapshots(Steps steps) {
    call(
        () -> {
          org.apache.pekko.persistence.typed.internal.Running<?, ?, ?> actor =
              Unmade.of(org.apache.pekko.persistence.typed.internal.Running.class);
          actor.internalSaveSnapshot(null);
        });
    steps.fires("SnapshotInteractions.internalSaveSnapshot");
  }

  static void states(Steps steps) {
    String store = "DurableStateStoreInteractions.";
    call(
        () -> {
          DurableStateBehaviorImpl<?, ?> behaviour = Unmade.of(DurableStateBehaviorImpl.class);
          behaviour.apply(null);
        });
    steps.fires("DurableStateBehaviorImpl.apply");
    call(() -> recovering().requestRecoveryPermit());
    steps.fires(store + "requestRecoveryPermit");
    call(() -> recovering().internalGet(null));
    steps.fires(store + "internalGet");
    call(() -> invoke(Recovering.class, "onRecoveryCompleted", Recovering.RecoveryState.class));
    steps.fires("Recovering.onRecoveryCompleted");
    call(() -> recovering().internalUpsert(null, "", null, ""));
    steps.fires(store + "internalUpsert");
    call(() -> invoke(Running.PersistingState.class, "onMessage", InternalProtocol.class));
    steps.fires("Running$PersistingState.onMessage");
  }

  private static Recovering<?, ?> recovering() throws ReflectiveOperationException {
    return Unmade.of(Recovering.class);
  }

  private static void invoke(Class<?> type, String name, Class<?> parameter)
      throws ReflectiveOperationException {
    Method method = type.getDeclaredMethod(name, parameter);
    method.setAccessible(true);
    method.invoke(Unmade.of(type), (Object) null);
  }
}
