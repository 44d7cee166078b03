// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.FlushReason;
import io.deimos.remote.MessageMeter;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.link.OutboundLink;
import io.deimos.remote.engine.pekko.Scala;
import io.deimos.remote.engine.settings.RemoteSettings;
import io.deimos.remote.engine.task.SerialTask;
import io.deimos.remote.engine.task.StackRoom;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.Encoder.OutboundCompressionAccess;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.SendQueue;
import org.apache.pekko.remote.artery.compress.CompressionTable;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serialization$;
import org.apache.pekko.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.util.control.NonFatal;

/**
 * Empties one of an association's queues of ordinary messages into the association's link.
 *
 * <p><b>Threads.</b> {@link #offer} is called by any sender. {@link #run} is one {@link
 * SerialTask}; while it waits for the link it keeps the right to run, and the link submits it
 * again.
 *
 * <p><b>Quiet.</b> A message that comes when nobody has sent for a while, and few did before, is
 * encoded and written by its sender, who takes the place of the serial task for that: waking the
 * event loop takes longer than the message. Only cheap serialisers run there. A sender that is
 * short of stack does nothing but offer, and an error on its thread leaves the message to the event
 * loop.
 *
 * <p><b>Full.</b> The queue is the association's own; when it is full, offering fails, and the
 * association drops by its own rule.
 *
 * <p><b>Where.</b> On the link's event loop or on the dispatcher of Artery's streams, see {@link
 * EncodePlace}.
 */
final class OutboundLane
    implements SendQueue.QueueValue<OutboundEnvelope>, OutboundCompressionAccess, Runnable {
  /** Batches per run, so that others on the same thread get their turn. */
  private static final int BATCHES_PER_RUN = 4;

  /** The use of the right to run the lane when a run ends. */
  private enum Next {
    /** Given back: there is nothing to do. */
    IDLE,
    /** Passed on to another run. */
    AGAIN,
    /** Kept until the link has room. */
    WAIT
  }

  /** How a batch ended. */
  private enum Batch {
    /** There was no more to take. */
    EMPTY,
    /** A bound was reached. */
    FULL,
    /** The next message must not be serialised here. */
    MOVE
  }

  private final TransportEngine engine;
  private final Association association;
  private final int queueIndex;
  private final OutboundLink link;
  private final Queue<OutboundEnvelope> queue;
  private final OutboundLanes lanes;
  private final RemoteSettings.Batching batching;
  private final SerialTask task = new SerialTask(this::submit);
  private final EncodePlace place;
  private final Linger linger;
  private final Runnable look = this::look;
  private final LaneEncoder encoder;
  private final TableChanges tables;
  private final OutboundHandshakes handshake;
  private final FrameBatch frames;

  private volatile boolean stopped;

  /** A message that was taken from the queue and is the next to be sent. */
  private @Nullable OutboundEnvelope carried;

  private int framesOfRun;

  /** Whether the present batch waited for all of {@code flush-interval}. */
  private boolean byInterval;

  OutboundLane(
      TransportEngine engine,
      Association association,
      int queueIndex,
      OutboundLink link,
      Queue<OutboundEnvelope> queue,
      OutboundLanes lanes) {
    this.engine = engine;
    this.association = association;
    this.queueIndex = queueIndex;
    this.link = link;
    this.queue = queue;
    this.lanes = lanes;
    batching = engine.settings.batching();
    place = new EncodePlace(engine.settings, System.nanoTime());
    linger = new Linger(batching, task::submit);
    encoder = new LaneEncoder(engine, association.localAddress().uid(), link.counters);
    tables = new TableChanges(step -> engine.dispatcher().execute(step), encoder);
    handshake = new OutboundHandshakes(engine, association, this::wake, lanes::end);
    frames = new FrameBatch(link, engine.buffers);
  }

  /** Begins with a handshake request, as every outbound stream does. */
  void start() {
    handshake.start();
    wake();
    engine.latecomers.add(look);
  }

  private void look() {
    if (!queue.isEmpty()) {
      task.wake();
    }
  }

  /** Ends the lane; what is in the queue, now or later, goes to the dead letters. */
  void stop() {
    stopped = true;
    handshake.stop();
    engine.latecomers.remove(look);
    wake();
  }

  int queueIndex() {
    return queueIndex;
  }

  long queued() {
    return queue.size();
  }

  @Override
  public boolean offer(OutboundEnvelope envelope) {
    return stopped ? lanes.offerAfterEnd(this, envelope) : offerHere(envelope);
  }

  boolean offerHere(OutboundEnvelope envelope) {
    boolean accepted = queue.offer(envelope);
    if (accepted) {
      wakeOrWrite();
      if (!linger.isOff()) {
        linger.endIfEnough(queue.size());
      }
    } else {
      link.counters.dropped.increment(); // which the association will publish
    }
    return accepted;
  }

  @Override
  public boolean isEnabled() {
    return !stopped;
  }

  @Override
  public void inject(Queue<OutboundEnvelope> ignored) {
    // the queue is known from the start
  }

  private void wakeOrWrite() {
    if (task.isIdle() && !StackRoom.isEnough()) {
      return; // the message is found by the next look for latecomers
    }
    if (task.tryClaim()) {
      if (maySendNow()) {
        work(true);
      } else {
        submitOrLinger();
      }
    }
  }

  private boolean maySendNow() {
    return place.senderMay(System.nanoTime())
        && !stopped
        && handshake.isComplete()
        && link.isClear();
  }

  private void wake() {
    if (task.tryClaim()) {
      submitOrLinger();
    }
  }

  private void submitOrLinger() {
    if (stopped || !linger.begin(link.loop())) {
      task.submit();
    }
  }

  private void submit() {
    try {
      if (place.submitOnLoop()) {
        link.loop().execute(this);
      } else {
        engine.dispatcher().execute(this);
      }
    } catch (RejectedExecutionException e) {
      submitElsewhere();
    }
  }

  /** An event loop can die; the dispatcher goes on until the system is down. */
  private void submitElsewhere() {
    try {
      engine.dispatcher().execute(this);
    } catch (RejectedExecutionException e) {
      engine.log.debug("Messages left in a queue, as the system is down");
    }
  }

  @Override
  public void run() {
    work(false);
  }

  /** One run: a sender's own message, or what there is. */
  private void work(boolean bySender) {
    var information = Serialization$.MODULE$.currentTransportInformation();
    Serialization serialization = engine.serialization();
    Object before = information.value();
    information.value_$eq(serialization.serializationInformation());
    Next next = Next.AGAIN; // after a failure, too: what is left goes to the dead letters
    try {
      next = bySender ? sendOne(serialization) : drain(serialization);
    } catch (Throwable e) {
      lanes.end(e);
      if (!NonFatal.apply(e)) {
        throw e;
      }
    } finally {
      information.value_$eq((Serialization.Information) before);
      if (next == Next.AGAIN) {
        task.submit();
      }
    }
  }

  /** Encodes and writes one message on its sender's thread. */
  private Next sendOne(Serialization serialization) {
    OutboundEnvelope envelope = null;
    try {
      envelope = next(true);
      Serializer serializer =
          envelope == null ? null : encoder.serializerFor(serialization, envelope);
      if (envelope != null && serializer != null) {
        if (!place.isCheap(serializer)) {
          putBack(envelope);
          return Next.AGAIN;
        }
        writeNow(envelope, serializer);
      }
    } catch (Error e) { // the event loop tries again, and with it the error is the lane's
      engine.log.debug("A message is left to an event loop after {}", e);
      encoder.forget();
      if (envelope != null) {
        putBack(envelope);
      }
      return Next.AGAIN;
    }
    if (carried != null || !queue.isEmpty()) {
      return Next.AGAIN;
    }
    return release(1);
  }

  /** Before the link takes a frame it may throw what encoding throws; afterwards nothing. */
  private void writeNow(OutboundEnvelope envelope, Serializer serializer) {
    EnvelopeBuffer scratch = engine.transport.envelopeBufferPool().acquire();
    try {
      synchronized (encoder) {
        if (!encoder.encode(envelope, serializer, scratch, RemoteStats.meter())) {
          return;
        }
      }
      if (!link.writeNow(scratch.byteBuffer())) {
        frames.put(scratch.byteBuffer());
        frames.handOver(FlushReason.DRAINED);
        link.flush(); // who sends may be an event loop
      }
    } finally {
      engine.transport.envelopeBufferPool().release(scratch);
    }
  }

  /** Has a message that could not be sent now sent next. */
  private void putBack(OutboundEnvelope envelope) {
    if (carried == null) {
      carried = envelope;
    } else {
      handshake.requestAgain(); // it was a request, which went before the message
    }
  }

  /** Encodes what there is into the link, until that is full. */
  private Next drain(Serialization serialization) {
    boolean onLoop = link.loop().inEventLoop();
    framesOfRun = 0;
    byInterval = linger.takeTimedOut();
    for (int i = 0; i < BATCHES_PER_RUN; i++) {
      if (stopped) {
        drainToDeadLetters();
        return release(0);
      }
      OutboundLink.Room room = link.parkIfFull(task::submit);
      if (room == OutboundLink.Room.FULL) {
        link.flush();
        return Next.WAIT;
      }
      if (room == OutboundLink.Room.CLOSED) {
        return release(0); // and be woken by the end of the lanes, which is about to come
      }
      long start = RemoteStats.detailed() ? System.nanoTime() : 0;
      Batch batch = batch(serialization, onLoop);
      if (start != 0) {
        link.counters.codecNanos.add(System.nanoTime() - start);
      }
      link.flush();
      byInterval = false;
      if (batch == Batch.EMPTY && release(framesOfRun) == Next.IDLE) {
        return Next.IDLE;
      }
      if (batch == Batch.MOVE) {
        break;
      }
    }
    return Next.AGAIN;
  }

  private Next release(int framesSent) {
    place.runEnded(framesSent, System.nanoTime());
    return task.tryRelease() ? Next.IDLE : Next.AGAIN;
  }

  /** Encodes what is there into chunks, up to the bounds of one flush. */
  private Batch batch(Serialization serialization, boolean onLoop) {
    boolean opens = link.isIdle();
    int limit = opens ? 1 : batching.maxPendingWrites();
    int bytes = 0;
    boolean cheapOnly = true;
    FlushReason reason = FlushReason.DRAINED; // also of what is left by an error
    MessageMeter meter = RemoteStats.meter();
    EnvelopeBuffer scratch = engine.transport.envelopeBufferPool().acquire();
    synchronized (encoder) {
      try {
        for (int i = 0; i < limit && bytes < batching.maxPendingBytes(); i++) {
          OutboundEnvelope envelope = next(i == 0);
          if (envelope == null) {
            if (byInterval) {
              reason = FlushReason.INTERVAL;
            }
            return Batch.EMPTY;
          }
          Serializer serializer = encoder.serializerFor(serialization, envelope);
          if (serializer == null) {
            continue;
          }
          if (!place.isCheap(serializer)) {
            cheapOnly = false;
            if (onLoop && !place.isLoopForAll()) {
              carried = envelope;
              reason = FlushReason.SERIALIZER;
              return Batch.MOVE;
            }
          }
          if (encoder.encode(envelope, serializer, scratch, meter)) {
            bytes += frames.put(scratch.byteBuffer());
            framesOfRun++;
          }
        }
        if (bytes >= batching.maxPendingBytes()) {
          reason = FlushReason.BYTES;
        } else if (!opens) {
          reason = FlushReason.MESSAGES;
        }
        return Batch.FULL;
      } finally {
        frames.handOver(reason);
        engine.transport.envelopeBufferPool().release(scratch);
        if (cheapOnly) {
          place.batchWasCheap();
        } else {
          place.leaveLoop();
        }
      }
    }
  }

  /** The handshake request that is due, or the next message if the handshake is complete. */
  private @Nullable OutboundEnvelope next(boolean firstOfBatch) {
    if (handshake.isDue()) {
      return handshake.request();
    }
    OutboundEnvelope envelope = carried;
    if (envelope != null) {
      carried = null;
      return envelope;
    }
    envelope = handshake.isComplete() ? queue.poll() : null;
    if (envelope != null && firstOfBatch && handshake.dueBeforeMessage()) {
      carried = envelope;
      return handshake.request();
    }
    return envelope;
  }

  private void drainToDeadLetters() {
    OutboundEnvelope envelope = carried == null ? queue.poll() : carried;
    carried = null;
    while (envelope != null) {
      engine.system.deadLetters().tell(envelope, ActorRef.noSender());
      envelope = queue.poll();
    }
  }

  @Override
  public Future<Done> changeActorRefCompression(CompressionTable<ActorRef> table) {
    return Scala.future(tables.make(() -> encoder.setRefTable(table)));
  }

  @Override
  public Future<Done> changeClassManifestCompression(CompressionTable<String> table) {
    return Scala.future(tables.make(() -> encoder.setManifestTable(table)));
  }

  @Override
  public Future<Done> clearCompression() {
    return Scala.future(
        tables.make(
            () -> {
              encoder.setRefTable(CompressionTable.empty());
              encoder.setManifestTable(CompressionTable.empty());
            }));
  }

  @Override
  public String toString() {
    return "OutboundLane(" + queueIndex + " to " + association.remoteAddress() + ")";
  }
}
