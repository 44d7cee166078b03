// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import scenarios.Messages.Begin;

/** Where a scenario begins: does one thing, and signals every other message it gets. */
final class Front extends AbstractActor {
  private final Stage stage;
  private final Consumer<Front> begin;

  private Front(Stage stage, Consumer<Front> begin) {
    this.stage = stage;
    this.begin = begin;
  }

  static Props props(Stage stage, Consumer<Front> begin) {
    return Props.create(Front.class, () -> new Front(stage, begin));
  }

  /** The same, typed. */
  static Behavior<Object> typed(
      Stage stage, Consumer<org.apache.pekko.actor.typed.javadsl.ActorContext<Object>> begin) {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                message -> {
                  if (message instanceof Begin) {
                    begin.accept(context);
                  } else {
                    stage.signal();
                  }
                  return Behaviors.same();
                }));
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Begin.class, b -> begin.accept(this))
        .matchAny(other -> stage.signal())
        .build();
  }
}
