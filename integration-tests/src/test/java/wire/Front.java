// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;

/** Where a row begins: does one thing, and signals every other message it gets. */
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

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Messages.Begin.class, b -> begin.accept(this))
        .match(ReceiveTimeout.class, t -> {})
        .match(Messages.Baggages.class, b -> b.entry().equals("Zoë"), b -> stage.signal())
        .match(Messages.Baggages.class, b -> System.out.println("baggage is " + b.entry()))
        .matchAny(other -> stage.signal())
        .build();
  }
}
