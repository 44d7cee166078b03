// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.ReceiveTimeout;
import org.apache.pekko.cluster.sharding.ShardRegion;
import soak.Messages.Add;
import soak.Messages.Added;
import soak.Messages.Opened;
import soak.Messages.Reserve;
import soak.Messages.Reserved;
import soak.Messages.Rumour;
import soak.Messages.Tend;

/**
 * A sharded entity: stashes what comes while it opens, asks the stock before it answers, passes
 * rumours on, tends itself again and again, and goes when nobody needs it.
 */
final class Cart extends AbstractActorWithStash {
  private static final Duration OPENING = Duration.ofMillis(30);
  private static final Duration TENDING = Duration.ofMillis(400);
  private static final Duration IDLE = Duration.ofSeconds(3);
  private static final Duration RUMOUR = Duration.ofMillis(150);

  private final ActorRef stock;
  private final ActorRef carts;
  private final Map<Integer, ActorRef> askers = new HashMap<>();

  Cart(ActorRef stock, ActorRef carts) {
    this.stock = stock;
    this.carts = carts;
  }

  @Override
  public void preStart() {
    later(OPENING, getSelf(), new Opened());
    getContext().setReceiveTimeout(IDLE);
  }

  private void later(Duration delay, ActorRef whom, Object what) {
    getContext()
        .getSystem()
        .scheduler()
        .scheduleOnce(delay, whom, what, getContext().getDispatcher(), getSelf());
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(
            Opened.class,
            o -> {
              o.mark();
              getContext().become(open());
              unstashAll();
              later(TENDING, getSelf(), new Tend());
            })
        .match(
            Messages.Sent.class,
            m -> {
              m.mark();
              stash();
            })
        .match(ReceiveTimeout.class, t -> leave())
        .build();
  }

  private Receive open() {
    return receiveBuilder()
        .match(
            Add.class,
            a -> {
              a.mark();
              askers.put(a.number(), getSender());
              stock.tell(new Reserve(a.number() % 13, a.number()), getSelf());
            })
        .match(
            Reserved.class,
            r -> {
              r.mark();
              ActorRef asker = askers.remove(r.number());
              if (asker != null) {
                asker.tell(new Added(r.number()), getSelf());
              }
            })
        .match(
            Rumour.class,
            r -> {
              r.mark();
              later(RUMOUR, carts, new Rumour((r.entity() * 7 + 3) % Node.CARTS));
            })
        .match(
            Tend.class,
            t -> {
              t.mark();
              later(TENDING, getSelf(), new Tend());
            })
        .match(ReceiveTimeout.class, t -> leave())
        .build();
  }

  private void leave() {
    getContext().getParent().tell(new ShardRegion.Passivate(PoisonPill.getInstance()), getSelf());
  }
}
