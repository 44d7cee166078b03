// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.link.OutboundLink;
import io.deimos.remote.engine.pekko.KillSwitchWatch;
import io.deimos.remote.engine.pekko.Scala;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.Encoder.OutboundCompressionAccess;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.SendQueue;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.runtime.AbstractFunction0;
import scala.runtime.BoxedUnit;

/**
 * The direct lanes of an association, in the very place of its ordinary outbound stream: in the
 * same slots of its queues, under the same kind of kill switch, reporting its end the same way. So
 * routing, dropping, flushing, stopping when idle or quarantined, and restarting stay the
 * association's business.
 *
 * <p><b>After the end.</b> The association makes the first queue lazy: its next message starts the
 * stream again. It leaves the other lanes in their slots, so these do as the first queue does: the
 * next message to any of them starts all lanes again, once, and goes to the new one.
 */
public final class OutboundLanes {
  private final TransportEngine engine;
  private final Association association;
  private final CompletableFuture<Done> completed = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<OutboundLane> lanes = new ArrayList<>();
  private final OutboundLink link;
  private final LongSupplier queued = this::queued;
  private final KillSwitchWatch watch = new KillSwitchWatch(this::end);
  private final Restart restart = new Restart();

  private OutboundLanes(TransportEngine engine, Association association) {
    this.engine = engine;
    this.association = association;
    link = OutboundLink.of(engine, association, ArteryTransport.OrdinaryStreamId(), this::end);
  }

  public static void start(TransportEngine engine, Association association) {
    new OutboundLanes(engine, association).run();
  }

  private void run() {
    int first = Association.OrdinaryQueueIndex();
    int count = engine.artery().Advanced().OutboundLanes();
    int capacity = engine.artery().Advanced().OutboundMessageQueueSize();
    engine.log.debug(
        "Starting direct outbound message lane(s) to [{}]", association.remoteAddress());
    List<Association.QueueWrapper> wrappers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Association.QueueWrapper wrapper =
          engine.members.queueWrapper(association, first + i, capacity);
      engine.members.setQueue(association, first + i, wrapper);
      wrappers.add(wrapper);
    }
    for (int i = 0; i < count; i++) {
      OutboundLane lane =
          new OutboundLane(engine, association, first + i, link, wrappers.get(i).queue(), this);
      lanes.add(lane);
      engine.members.setQueue(association, first + i, lane);
    }
    link.counters.addQueue(queued);
    engine.members.setOutboundCompressionAccess(association, access());
    SharedKillSwitch killSwitch = KillSwitches.shared("outboundMessagesKillSwitch");
    Future<Done> done = Scala.future(completed);
    engine.members.updateStreamMatValues(association, first, killSwitch, done);
    engine.members.attachOutboundStreamRestart(
        association, "Outbound message stream", first, capacity, done, restart);
    watch.start(engine.transport.materializer(), engine.transport.killSwitch(), killSwitch);
    association.associationState().lastUsedTimestamp().set(System.nanoTime()); // not idle
    lanes.forEach(OutboundLane::start);
  }

  private scala.collection.immutable.Vector<OutboundCompressionAccess> access() {
    return Scala.vector(List.<OutboundCompressionAccess>copyOf(lanes));
  }

  private long queued() {
    long sum = 0;
    for (OutboundLane lane : lanes) {
      sum += lane.queued();
    }
    return sum;
  }

  /** Ends all lanes, for a reason if there is one. */
  void end(@Nullable Throwable cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    watch.close();
    link.counters.removeQueue(queued);
    lanes.forEach(OutboundLane::stop);
    link.close(cause);
    if (cause == null) {
      completed.complete(Done.getInstance());
    } else {
      completed.completeExceptionally(cause);
    }
  }

  /** Takes a message that came to a lane after its end. */
  boolean offerAfterEnd(OutboundLane lane, OutboundEnvelope envelope) {
    if (queue(Association.OrdinaryQueueIndex()) instanceof Association.LazyQueueWrapper) {
      restart.once();
    }
    SendQueue.ProducerApi<OutboundEnvelope> now = queue(lane.queueIndex());
    return now == lane ? lane.offerHere(envelope) : now.offer(envelope);
  }

  private SendQueue.ProducerApi<OutboundEnvelope> queue(int index) {
    return engine.members.queue(association, index);
  }

  /** Called by the association when a message comes after the lanes ended. */
  private final class Restart extends AbstractFunction0<BoxedUnit> {
    private boolean done;

    /** Several lanes may be told of messages at the same time; all of them wait for the one. */
    synchronized void once() {
      if (!done) {
        done = true;
        engine.members.runOutboundOrdinary(association);
      }
    }

    @Override
    public BoxedUnit apply() {
      once();
      return BoxedUnit.UNIT;
    }
  }
}
