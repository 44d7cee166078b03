// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.wire.RemoteMessages;
import io.deimos.recorder.woven.RefFields;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How far asks to sharded entities have come on this node. They are sent to a shard region and
 * handed on in their own context, so whatever the region and its shards do in the context of such a
 * ask is done to the ask.
 *
 * <p><b>Threads.</b> Any. The steps of one ask are made by one thread after another, as the message
 * goes from mailbox to mailbox.
 *
 * <p><b>Full.</b> Beyond {@link #CAPACITY} at once an ask is not followed, and what became of it is
 * not known. One that has ended is not kept; one whose region stopped before it ended, with its
 * actor system for instance, is let go by housekeeping.
 *
 * <p>While there is no ask, a hook costs the reading of one number.
 */
public final class EntityAsks {
  private static final Hook SHARD_DELIVERS = Hook.named("Shard.deliverMessage.asked");

  /** How many asks are followed at once. */
  static final int CAPACITY = 1 << 12;

  private static final String SHARDING = "org.apache.pekko.cluster.sharding.";
  private static final String REGION = SHARDING + "ShardRegion";

  /** By their spans. */
  private static final Map<Long, Ask> OPEN = new ConcurrentHashMap<>();

  private static final AtomicInteger COUNT = new AtomicInteger();

  private EntityAsks() {}

  /** How many asks are followed now. */
  static int count() {
    return COUNT.get();
  }

  /** An ask with a span is about to be sent. */
  public static void asked(Ask ask) {
    if (ask.trace().isSampled()
        && region(ask) instanceof ActorTelemetry region
        && PekkoNames.of(region.className()).equals(REGION)) {
      follow(ask);
    }
  }

  public static void follow(Ask ask) {
    if (COUNT.get() >= CAPACITY || OPEN.putIfAbsent(ask.spanId(), ask) != null) {
      return;
    }
    COUNT.incrementAndGet();
    if (ask.hasEnded()) { // in a very short time
      ended(ask);
    }
  }

  /** An ask is over, whether it was followed or not. */
  public static void ended(Ask ask) {
    if (COUNT.get() != 0 && OPEN.remove(ask.spanId(), ask)) {
      COUNT.decrementAndGet();
    }
  }

  /** Lets go of asks that nobody will end. Called by housekeeping. */
  public static void sweep() {
    if (COUNT.get() == 0) {
      return;
    }
    for (Ask ask : OPEN.values()) {
      if (ask.hasEnded() || (region(ask) instanceof ActorTelemetry region && region.hasStopped())) {
        ended(ask);
      }
    }
  }

  private static @Nullable Object region(Ask ask) {
    return ask.asked() instanceof RefFields ref ? ref.deimos$identity() : null;
  }

  private static @Nullable Ask find(@Nullable Trace trace, long span) {
    if (trace == null) {
      return null;
    }
    Ask ask = OPEN.get(span);
    return ask != null && ask.trace().lo() == trace.lo() && ask.trace().hi() == trace.hi()
        ? ask
        : null;
  }

  /** The ask in whose context this thread works. */
  private static @Nullable Ask at(@Nullable ThreadState s) {
    return s == null || !s.isBusy() || s.isRecording() ? null : find(s.at.trace, s.at.spanId);
  }

  /** The same if it is a region or a shard that works on it, and it has not got to its entity. */
  private static @Nullable Ask inHand() {
    if (COUNT.get() == 0) {
      return null;
    }
    ThreadState s = ThreadState.current();
    Ask ask = at(s);
    if (ask == null || s == null || hasArrived(ask)) {
      return null;
    }
    ActorTelemetry actor = s.actor();
    return actor != null && PekkoNames.of(actor.className()).startsWith(SHARDING) ? ask : null;
  }

  private static boolean hasArrived(Ask ask) {
    return ask.whereabouts() instanceof RefFields ref
        && ref.deimos$identity() instanceof ActorTelemetry;
  }

  /** A message is put into a buffer. */
  public static void kept() {
    Ask ask = inHand();
    if (ask != null) {
      ask.handedOn(Unanswered.IN_BUFFER);
    }
  }

  /** A message is taken out of a buffer, to be sent on or to be given up. */
  public static void sending(@Nullable Trace trace, long span) {
    Ask ask = COUNT.get() == 0 ? null : find(trace, span);
    if (ask != null && Unanswered.IN_BUFFER.equals(ask.whereabouts())) {
      ask.handedOn(null);
    }
  }

  /** A message is given up, on the thread of whoever does that. */
  public static void givenUp(@Nullable Object message) {
    Ask ask = inHand();
    Object whereabouts = ask == null ? null : ask.whereabouts();
    if (ask != null
        && (whereabouts == null || whereabouts instanceof String) // not on its way elsewhere
        && message != null
        && RemoteMessages.carriesContext(message)) {
      ask.handedOn(Unanswered.DROPPED);
    }
  }

  /**
   * A message leaves this node.
   *
   * @param recipient Pekko's reference to whom it is for
   */
  public static void leaving(@Nullable Object recipient, @Nullable Object message) {
    Ask ask = inHand();
    if (ask != null
        && recipient != null
        && message != null
        && RemoteMessages.carriesContext(message)) {
      ask.handedOn(recipient);
    }
  }

  /**
   * A shard is about to look for the entity that a message is for.
   *
   * @return to be given to {@link #delivered}; null if that is not an ask that is followed
   */
  public static @Nullable Frame delivering() {
    if (COUNT.get() == 0) {
      return null;
    }
    ThreadState s = ThreadState.current();
    Ask ask = at(s);
    if (ask == null || s == null) {
      return null;
    }
    SHARD_DELIVERS.fires();
    s.at.delivering = ask;
    return s.at;
  }

  /** Ends {@link #delivering}. */
  public static void delivered(Frame in) {
    in.delivering = null;
  }

  /**
   * A shard has found or made an entity, and if it is delivering a message then that is for it: the
   * first that it looks for. Others may follow which it puts to rest.
   *
   * @param entity Pekko's reference
   */
  public static void found(@Nullable Object entity) {
    if (COUNT.get() == 0) {
      return;
    }
    ThreadState s = ThreadState.current();
    Ask ask = s == null ? null : s.at.delivering;
    if (ask != null && s != null && entity != null) {
      s.at.delivering = null;
      ask.handedOn(entity);
    }
  }
}
