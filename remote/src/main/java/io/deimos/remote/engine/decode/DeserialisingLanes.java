// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.task.SerialTask;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.ReusableInboundEnvelope;
import org.apache.pekko.serialization.Serialization$;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Where envelopes of one connection become messages side by side, if that takes long: as many lanes
 * as {@code inbound-lanes} says.
 *
 * <p><b>Order.</b> A recipient has one lane. A message that is quickly deserialised takes the same
 * lane while anything is in it, and goes past it otherwise; the decoder sees an empty lane only
 * after all that was in it has been delivered.
 *
 * <p><b>Threads.</b> {@link #take} and {@link #whenReady} belong to the decoder; each lane is one
 * serial task on the dispatcher of Artery's streams.
 *
 * <p><b>Full.</b> From {@value #HIGH_WATER_BYTES} bytes on the decoder waits until half of them are
 * done, and with it the connection.
 */
final class DeserialisingLanes {
  private static final int HIGH_WATER_BYTES = 1 << 20;
  private static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;

  /** Envelopes per run, so that other connections get their turn. */
  private static final int PER_RUN = 64;

  private final InboundLanes owner;
  private final Lane[] lanes;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicReference<@Nullable Waiter> waiter = new AtomicReference<>();

  DeserialisingLanes(InboundLanes owner, int count) {
    this.owner = owner;
    lanes = new Lane[count];
    for (int i = 0; i < count; i++) {
      lanes[i] = new Lane();
    }
  }

  /** Whether all that was taken has been delivered. */
  boolean isIdle() {
    return underWay.get() == 0;
  }

  /** Whether no more may be taken now; see {@link #whenReady}. */
  boolean isFull() {
    return heldBytes.get() >= HIGH_WATER_BYTES;
  }

  /**
   * Takes an envelope over, or returns false: then it is quick to make, and nothing it must not
   * overtake is under way.
   *
   * @param envelope who it is for and what is known of it
   * @param buffer its payload, between position and limit; copied
   */
  boolean take(
      ReusableInboundEnvelope envelope,
      ByteBuffer buffer,
      int frameBytes,
      DeserialiserCosts.Cost cost) {
    Lane lane = lanes[index(envelope.recipient(), envelope.originUid())];
    if (!cost.isHeavy() && lane.pending.get() == 0) {
      return false;
    }
    lane.put(new Deferred(envelope, buffer, frameBytes, cost));
    return true;
  }

  /** Spread as Artery does it; temporary actors, which have no number, by their names. */
  private int index(InternalActorRef recipient, long originUid) {
    int number = recipient.path().uid();
    int hash = number == 0 ? recipient.path().name().hashCode() : number;
    hash = 23 * (23 + hash) + Long.hashCode(originUid);
    return Math.floorMod(hash ^ hash >>> 16, lanes.length);
  }

  /**
   * Has the decoder woken, once.
   *
   * @param whenIdle when all has been delivered; otherwise when there is room again
   */
  void whenReady(boolean whenIdle, Runnable wake) {
    Waiter next = new Waiter(whenIdle, wake);
    waiter.set(next);
    wakeIfReady();
  }

  private void wakeIfReady() {
    Waiter waiting = waiter.get();
    if (waiting != null
        && (waiting.whenIdle ? isIdle() : heldBytes.get() <= LOW_WATER_BYTES)
        && waiter.compareAndSet(waiting, null)) {
      waiting.wake.run();
    }
  }

  /** To be called when all was delivered and nothing more comes. */
  void close() {
    for (Lane lane : lanes) {
      lane.delivery.close();
    }
  }

  /** The decoder, waiting. */
  private record Waiter(boolean whenIdle, Runnable wake) {}

  /** An envelope whose message is made later, with bytes of its own. */
  private static final class Deferred {
    private final InternalActorRef recipient;
    private final @Nullable ActorRef sender;
    private final long uid;
    private final int serializer;
    private final String manifest;
    private final byte flags;
    private final @Nullable OutboundContext association;
    private final ByteBuffer payload;
    private final @Nullable EnvelopeBuffer whole;
    private final int frameBytes;
    private final DeserialiserCosts.Cost cost;

    Deferred(
        ReusableInboundEnvelope envelope,
        ByteBuffer buffer,
        int frameBytes,
        DeserialiserCosts.Cost cost) {
      recipient = envelope.recipient();
      sender = envelope.sender();
      uid = envelope.originUid();
      serializer = envelope.serializer();
      manifest = envelope.classManifest();
      flags = envelope.flags();
      association = envelope.association();
      this.frameBytes = frameBytes;
      this.cost = cost;
      int position = buffer.position();
      boolean isWhole = envelope.envelopeBuffer() != null; // for instruments, so it begins at 0
      int from = isWhole ? 0 : position;
      ByteBuffer copy = ByteBuffer.allocate(buffer.limit() - from).order(ByteOrder.LITTLE_ENDIAN);
      copy.put(0, buffer, from, copy.capacity());
      payload = copy.position(position - from);
      whole = isWhole ? new EnvelopeBuffer(copy) : null;
      envelope.releaseEnvelopeBuffer();
    }
  }

  /** One of them. */
  private final class Lane implements Runnable {
    final AtomicInteger pending = new AtomicInteger();
    private final Queue<Deferred> queue = new ConcurrentLinkedQueue<>();
    private final SerialTask task = new SerialTask(this::submit);
    private final EnvelopeDelivery delivery = new EnvelopeDelivery(owner);

    void put(Deferred envelope) {
      pending.incrementAndGet();
      underWay.incrementAndGet();
      heldBytes.addAndGet(envelope.frameBytes);
      queue.add(envelope);
      task.wake();
    }

    private void submit() {
      try {
        owner.engine.dispatcher().execute(this);
      } catch (RejectedExecutionException e) {
        owner.engine.log.debug("Received messages are not delivered, as the system is down");
      }
    }

    @Override
    public void run() {
      var information = Serialization$.MODULE$.currentTransportInformation();
      Object before = information.value();
      information.value_$eq(owner.engine.serialization().serializationInformation());
      try {
        Deferred next = queue.poll();
        for (int i = 1; next != null; i++) {
          work(next);
          next = i < PER_RUN ? queue.poll() : null;
        }
      } finally {
        information.value_$eq((org.apache.pekko.serialization.Serialization.Information) before);
        if (queue.isEmpty()) {
          task.finish();
        } else {
          task.submit();
        }
      }
    }

    private void work(Deferred next) {
      try {
        if (!owner.isClosed()) {
          deliver(next, (Association) next.association);
        }
      } catch (Throwable e) {
        if (!NonFatal.apply(e)) {
          throw e;
        }
        owner.engine.log.warning("Dropping message due to: {}", e);
      } finally {
        pending.decrementAndGet();
        underWay.decrementAndGet();
        heldBytes.addAndGet(-next.frameBytes);
        wakeIfReady();
      }
    }

    private void deliver(Deferred next, @Nullable Association association) {
      delivery
          .envelope()
          .init(
              next.recipient,
              next.sender,
              next.uid,
              next.serializer,
              next.manifest,
              next.flags,
              next.whole,
              association,
              0);
      long begun = System.nanoTime();
      Object message = delivery.deserialise(next.payload, next.frameBytes, association);
      next.cost.took(System.nanoTime() - begun);
      if (message != null) {
        delivery.deliver(message, association);
        delivery.dispatchHeld();
      }
    }
  }
}
