// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.pekko.Done;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.Encoder.OutboundCompressionAccess;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;
import scala.runtime.AbstractFunction0;
import scala.runtime.BoxedUnit;

/**
 * The direct lanes of an association, in the very place of its ordinary outbound stream: in the
 * same slots of its queues, under the same kind of kill switch, reporting its end the same way. So
 * routing, dropping, flushing, stopping when idle or quarantined, and restarting stay the
 * association's business.
 */
final class OutboundLanes {
  private final TransportEngine engine;
  private final Association association;
  private final CompletableFuture<Done> completed = new CompletableFuture<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<OutboundLane> lanes = new ArrayList<>();
  private final OutboundLink link;
  private final LongSupplier queued = this::queued;

  private OutboundLanes(TransportEngine engine, Association association) {
    this.engine = engine;
    this.association = association;
    link = new OutboundLink(engine, association, ArteryTransport.OrdinaryStreamId(), this::end);
  }

  static void start(TransportEngine engine, Association association) {
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
          new OutboundLane(
              engine, association, first + i, link, wrappers.get(i).queue(), this::end);
      lanes.add(lane);
      engine.members.setQueue(association, first + i, lane);
    }
    link.counters.addQueue(queued);
    engine.members.setOutboundCompressionAccess(association, access());
    SharedKillSwitch killSwitch = KillSwitches.shared("outboundMessagesKillSwitch");
    Future<Done> done = FutureConverters.asScala(completed);
    engine.members.updateStreamMatValues(association, first, killSwitch, done);
    engine.members.attachOutboundStreamRestart(
        association, "Outbound message stream", first, capacity, done, new Restart());
    engine.watch(
        engine.transport.materializer(), engine.transport.killSwitch(), killSwitch, this::end);
    association.associationState().lastUsedTimestamp().set(System.nanoTime()); // not idle
    lanes.forEach(OutboundLane::start);
  }

  private scala.collection.immutable.Vector<OutboundCompressionAccess> access() {
    return CollectionConverters.asScala(List.<OutboundCompressionAccess>copyOf(lanes)).toVector();
  }

  private long queued() {
    long sum = 0;
    for (OutboundLane lane : lanes) {
      sum += lane.queued();
    }
    return sum;
  }

  private void end(@Nullable Throwable cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    link.counters.removeQueue(queued);
    lanes.forEach(OutboundLane::stop);
    link.close();
    if (cause == null) {
      completed.complete(Done.getInstance());
    } else {
      completed.completeExceptionally(cause);
    }
  }

  /** What the association calls when a message comes after the lanes ended. */
  private final class Restart extends AbstractFunction0<BoxedUnit> {
    @Override
    public BoxedUnit apply() {
      engine.members.runOutboundOrdinary(association);
      return BoxedUnit.UNIT;
    }
  }
}
