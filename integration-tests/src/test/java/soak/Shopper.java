// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Status;
import org.apache.pekko.pattern.Patterns;
import soak.Messages.Add;
import soak.Messages.Added;
import soak.Messages.Book;
import soak.Messages.Booked;
import soak.Messages.Buy;

/** Buys: asks a cart, and has every tenth purchase booked by the singleton. */
final class Shopper extends AbstractActor {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Counts counts;
  private final ActorRef carts;
  private final ActorRef ledger;

  Shopper(Counts counts, ActorRef carts, ActorRef ledger) {
    this.counts = counts;
    this.carts = carts;
    this.ledger = ledger;
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(
            Buy.class,
            b -> {
              b.mark();
              Patterns.pipe(
                      Patterns.ask(carts, new Add(b.number() % Node.CARTS, b.number()), PATIENCE),
                      getContext().getDispatcher())
                  .to(getSelf());
            })
        .match(
            Added.class,
            a -> {
              counts.answered.increment();
              if (a.number() % 10 == 0) {
                ledger.tell(new Book(a.number()), getSelf());
              }
            })
        .match(
            Booked.class,
            b -> {
              b.mark();
              counts.booked.increment();
            })
        .match(Status.Failure.class, f -> counts.unanswered.increment())
        .build();
  }
}
