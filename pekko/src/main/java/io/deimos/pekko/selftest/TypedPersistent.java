// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** Writes one event, then two together, and stops. */
final class TypedPersistent extends EventSourcedBehavior<Object, String, Integer> {
  private final CompletableFuture<Boolean> written;

  TypedPersistent(CompletableFuture<Boolean> written) {
    super(PersistenceId.ofUniqueId("deimos-self-test-typed"));
    this.written = written;
  }

  @Override
  public String journalPluginId() {
    return PersistenceSteps.JOURNAL;
  }

  @Override
  public String snapshotPluginId() {
    return PersistenceSteps.SNAPSHOTS;
  }

  @Override
  public Integer emptyState() {
    return 0;
  }

  @Override
  public CommandHandler<Object, String, Integer> commandHandler() {
    return (state, command) ->
        state > 0
            ? Effect()
                .persist(List.of("one", "two"))
                .thenRun(() -> written.complete(true))
                .thenStop()
            : Effect().persist("event");
  }

  @Override
  public EventHandler<Integer, String> eventHandler() {
    return (state, event) -> state + 1;
  }
}
