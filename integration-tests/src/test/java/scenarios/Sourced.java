// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import org.apache.pekko.persistence.typed.javadsl.SignalHandlerBuilder;

/** An actor with a journal, whose state is how many events it has had. */
abstract class Sourced<C, E> extends EventSourcedBehavior<C, E, Integer> {
  private final Stage stage;
  private final List<Class<? extends Signal>> told = new ArrayList<>();

  /**
   * An actor.
   *
   * @param told what the stage is told of, beside the recovery
   */
  @SafeVarargs
  Sourced(Stage stage, String id, Class<? extends Signal>... told) {
    super(PersistenceId.ofUniqueId(id));
    this.stage = stage;
    for (Class<? extends Signal> type : told) {
      this.told.add(type);
    }
  }

  @Override
  public Integer emptyState() {
    return 0;
  }

  @Override
  public EventHandler<Integer, E> eventHandler() {
    return (state, event) -> state + 1;
  }

  @Override
  public SignalHandler<Integer> signalHandler() {
    SignalHandlerBuilder<Integer> handlers = newSignalHandlerBuilder();
    handlers.onSignal(RecoveryCompleted.class, (state, signal) -> stage.signal());
    told.forEach(type -> handlers.onSignal(type, (state, signal) -> stage.signal()));
    return handlers.build();
  }
}
