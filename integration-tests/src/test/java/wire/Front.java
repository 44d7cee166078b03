// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import io.opentelemetry.api.baggage.Baggage;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReceiveTimeout;

/** Where a row begins: does one thing, and signals every other message it gets. */
final class Front extends AbstractActor {
  static final String BAGGAGE = "Zoë";
  static final String TRACESTATE = "{newer=2, older=1}";

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
        .match(Messages.Baggages.class, b -> check(BAGGAGE, b.entry(), baggage()))
        .match(
            Messages.Tracestates.class, t -> check(TRACESTATE, t.entries(), Services.tracestate()))
        .matchAny(other -> stage.signal())
        .build();
  }

  private static String baggage() {
    return String.valueOf(Baggage.current().getEntryValue("user"));
  }

  /** Signals only what went there and came back. */
  private void check(String expected, String there, String here) {
    if (expected.equals(there) && expected.equals(here)) {
      stage.signal();
    } else {
      System.out.println(stage.row() + " is " + there + " there and " + here + " here");
    }
  }
}
