// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.housekeeping.WaitingMessage.Place;
import io.deimos.recorder.trouble.WaitingEnvelopes;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ActorSelectionMessage;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.StashSupport;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.UnboundedControlAwareMailbox;
import org.jspecify.annotations.Nullable;

/**
 * Shows what waits in mailboxes and stashes, and in buffers of sharding, actor by actor, parents
 * first, and never at more than {@value #MOST} actors in one go. No actor is asked, and no lock is
 * taken that one may want: a queue that has such a lock is only counted.
 */
final class WaitingMessages {
  private static final int MOST = 20_000;

  /** A message to an entity, as typed sharding sends it. */
  private static final String TO_ENTITY = ".cluster.sharding.typed.ShardingEnvelope";

  private WaitingMessages() {}

  static void search(ExtendedActorSystem system, MessageSearch search) {
    String path = search.onlyPath();
    if (path != null) {
      look(system.provider().resolveActorRef(path), search);
      return;
    }
    Queue<ActorRef> next = new ArrayDeque<>();
    next.add(system.provider().rootGuardian());
    int seen = 0;
    for (ActorRef ref = next.poll(); ref != null && search.goesOn(); ref = next.poll()) {
      ActorCell cell = look(ref, search);
      if (cell == null) {
        continue;
      }
      for (scala.collection.Iterator<ActorRef> i = cell.children().iterator();
          i.hasNext() && seen < MOST; ) {
        next.add(i.next());
        seen++;
      }
    }
  }

  /** Looks at one actor; returns its cell if it has one. */
  private static @Nullable ActorCell look(ActorRef ref, MessageSearch search) {
    if (!(ref instanceof ActorRefWithCell with) || !(with.underlying() instanceof ActorCell cell)) {
      return null;
    }
    if (((RefFields) (Object) ref).deimos$identity() instanceof ActorTelemetry actor
        && !actor.kind().isHidden()) {
      try {
        if (search.wants(actor)) {
          mailbox(actor, cell.mailbox().messageQueue(), search);
          stash(actor, cell, search);
        }
        if (cell.actor() != null) {
          ShardingBuffers.search(actor, cell.actor(), search);
        }
      } catch (RuntimeException e) {
        Faults.caught(e); // of one actor; the others may be looked at
      }
    }
    return cell;
  }

  private static void mailbox(ActorTelemetry actor, MessageQueue queue, MessageSearch search) {
    if (queue instanceof UnboundedControlAwareMailbox.MessageQueue aware) {
      int first = envelopes(actor, Place.MAILBOX, 0, aware.controlQueue(), search);
      envelopes(actor, Place.MAILBOX, first, aware.queue(), search);
      return;
    }
    Iterable<?> open = WaitingEnvelopes.withoutLock(queue);
    if (open != null) {
      envelopes(actor, Place.MAILBOX, 0, open, search);
      return;
    }
    int counted = GaugeReaders.last().mailboxes().waiting(actor.id());
    if (counted > 0) {
      search.closed(actor, queue.getClass().getName(), counted);
    }
  }

  private static void stash(ActorTelemetry actor, ActorCell cell, MessageSearch search) {
    if (cell.actor() instanceof StashSupport stash) {
      int position = 0;
      for (scala.collection.Iterator<Envelope> i =
              stash.org$apache$pekko$actor$StashSupport$$theStash().iterator();
          i.hasNext(); ) {
        if (!see(actor, Place.STASH, ++position, i.next(), search)) {
          return;
        }
      }
    }
  }

  /** Shows all of a queue; returns how many there were before the next one. */
  private static int envelopes(
      ActorTelemetry actor, Place place, int before, Iterable<?> queue, MessageSearch search) {
    int position = before;
    for (Object each : queue) {
      if (!(each instanceof Envelope envelope)
          || !see(actor, place, ++position, envelope, search)) {
        return position;
      }
    }
    return position;
  }

  private static boolean see(
      ActorTelemetry actor, Place place, int position, Envelope envelope, MessageSearch search) {
    EnvelopeFields fields =
        (Object) envelope instanceof EnvelopeFields woven ? woven : null; // loaded before the agent
    return search.see(
        new WaitingMessage(
            place,
            actor,
            "",
            position,
            unwrapped(envelope.message()),
            new WaitingMessage.Sending(
                identity(envelope.sender()),
                fields == null ? null : fields.deimos$trace(),
                fields == null ? 0 : fields.deimos$parent(),
                fields == null ? 0 : fields.deimos$sent())));
  }

  /** The actor behind a reference in this process. */
  static @Nullable Object identity(@Nullable Object ref) {
    return ref instanceof RefFields fields ? fields.deimos$identity() : null;
  }

  /** The user's message: without the wrappers of selections and of sharding. */
  static Object unwrapped(Object message) {
    Object inside = message;
    if (message instanceof ActorSelectionMessage selected) {
      inside = selected.msg();
    } else if (message instanceof scala.Product product
        && product.productArity() == 2
        && message.getClass().getName().endsWith(TO_ENTITY)) {
      inside = product.productElement(1);
    }
    return inside == null ? message : inside;
  }
}
