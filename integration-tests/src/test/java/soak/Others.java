// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import org.apache.pekko.actor.AbstractActor;
import soak.Messages.Book;
import soak.Messages.Booked;
import soak.Messages.News;
import soak.Messages.Reserve;
import soak.Messages.Reserved;

/** The actors that do one thing. */
final class Others {
  private Others() {}

  /** A sharded entity that answers. */
  static final class Stock extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Reserve.class,
              r -> {
                r.mark();
                getSender().tell(new Reserved(r.number()), getSelf());
              })
          .build();
    }
  }

  /** The singleton. */
  static final class Ledger extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Book.class,
              b -> {
                b.mark();
                getSender().tell(new Booked(b.number()), getSelf());
              })
          .build();
    }
  }

  /** Hears what is published. */
  static final class Reader extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(News.class, News::mark).build();
    }
  }
}
