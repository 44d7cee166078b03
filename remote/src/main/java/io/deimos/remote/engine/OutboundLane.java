// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.MessageMeter;
import io.deimos.remote.RemoteStats;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
import scala.jdk.javaapi.FutureConverters;
import scala.util.control.NonFatal;

/**
 * Empties one of an association's queues of ordinary messages into the association's link.
 *
 * <p><b>Threads.</b> {@link #offer} is called by any sender. {@link #run} is one serial task: it is
 * put on an executor only by whoever turns {@code scheduled} from false to true, and turns it back
 * when the queue is empty, looking once more afterwards. While it waits for the link it stays
 * scheduled, and the link puts it on again.
 *
 * <p><b>Quiet.</b> A message that comes when nobody has sent for a while, and few did before, is
 * encoded and written by its sender, who takes the place of the serial task for that: waking the
 * event loop takes longer than the message. Only cheap serialisers run there.
 *
 * <p><b>Latecomers.</b> Who read the association's queues before this lane was put there offers to
 * the queue behind its back, and a queue that was lazy does so right after starting the lane.
 * Nobody wakes the lane then; so it looks by itself, soon after the start and once a second.
 *
 * <p><b>Full.</b> The queue is the association's own; when it is full, offering fails, and the
 * association drops by its own rule.
 *
 * <p><b>Where.</b> On the link's event loop as long as only cheap serialisers are met (see {@code
 * encode-on}); a message of another kind moves the lane to the dispatcher of Artery's streams, in
 * front of what follows it, until some batches have seen none.
 */
final class OutboundLane
    implements SendQueue.QueueValue<OutboundEnvelope>, OutboundCompressionAccess, Runnable {
  /** Batches per run, so that others on the same thread get their turn. */
  private static final int BATCHES_PER_RUN = 4;

  /** After so long without a message a sender writes the next one itself. */
  private static final long QUIET_NANOS = 100_000;

  /** Of the last time: with more, what goes alone only makes batches smaller. */
  private static final int FEW_FRAMES = 4;

  private static final int BATCHES_OFF_LOOP = 64;
  private static final Duration FIRST_LOOK = Duration.ofMillis(2);
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);
  private static final int LOOK_FACTOR = 4;

  private final TransportEngine engine;
  private final Association association;
  private final int queueIndex;
  private final OutboundLink link;
  private final Queue<OutboundEnvelope> queue;
  private final Consumer<@Nullable Throwable> end;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final EnvelopeEncoder encoder;
  private final EncodingFailures failures;
  private final OutboundHandshakes handshake;
  private final RemoteSettings settings;
  private final boolean logSend;
  private final long lingerNanos;
  private final Runnable resume = this::submit;

  private volatile boolean stopped;
  private volatile @Nullable ScheduledFuture<?> linger;
  private @Nullable OutboundEnvelope carried;
  private @Nullable ByteBuf chunk;
  private int chunkFrames;
  private int batchesOffLoop;
  private @Nullable Class<?> lastCheap;
  private @Nullable Class<?> lastType;
  private @Nullable Serializer lastSerializer;
  private long quietSinceNanos = System.nanoTime();
  private int lastFrames;

  OutboundLane(
      TransportEngine engine,
      Association association,
      int queueIndex,
      OutboundLink link,
      Queue<OutboundEnvelope> queue,
      Consumer<@Nullable Throwable> end) {
    this.engine = engine;
    this.association = association;
    this.queueIndex = queueIndex;
    this.link = link;
    this.queue = queue;
    this.end = end;
    settings = engine.settings;
    encoder =
        new EnvelopeEncoder(
            association.localAddress().uid(), engine.artery().Version(), engine.newInstruments());
    failures = new EncodingFailures(engine, link.counters);
    handshake = new OutboundHandshakes(engine, association, this::wake, end);
    logSend = engine.artery().LogSend() && engine.log.isDebugEnabled();
    lingerNanos = settings.flushInterval().toNanos();
  }

  /** Begins with a handshake request, as every outbound stream does. */
  void start() {
    handshake.start();
    wake();
    lookAgain(FIRST_LOOK);
  }

  private void lookAgain(Duration delay) {
    try {
      engine
          .system
          .scheduler()
          .scheduleOnce(
              delay,
              () -> {
                if (!stopped) {
                  if (!queue.isEmpty()) {
                    wake();
                  }
                  Duration next = delay.multipliedBy(LOOK_FACTOR);
                  lookAgain(next.compareTo(LAST_LOOK) < 0 ? next : LAST_LOOK);
                }
              },
              engine.system.dispatchers().internalDispatcher());
    } catch (IllegalStateException e) {
      engine.log.debug("No more looks into the queue of {}, as the system is stopping", this);
    }
  }

  /** Ends the lane; what is in the queue, now or later, goes to the dead letters. */
  void stop() {
    stopped = true;
    handshake.stop();
    wake();
  }

  long queued() {
    return queue.size();
  }

  @Override
  public boolean offer(OutboundEnvelope envelope) {
    boolean accepted = queue.offer(envelope);
    if (accepted) {
      wakeOrWrite();
      if (lingerNanos > 0) {
        hurry();
      }
    } else {
      link.counters.dropped.increment(); // which the association will publish
    }
    return accepted;
  }

  @Override
  public boolean isEnabled() {
    return true;
  }

  @Override
  public void inject(Queue<OutboundEnvelope> ignored) {
    // the queue is known from the start
  }

  private void wakeOrWrite() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      if (maySendNow()) {
        work(true);
      } else {
        submitOrLinger();
      }
    }
  }

  /**
   * Whether the sender shall write: nobody has written for a while, and nothing is to be obeyed.
   */
  private boolean maySendNow() {
    return settings.encodeOn() == RemoteSettings.EncodeOn.AUTO
        && lingerNanos == 0
        && batchesOffLoop == 0
        && lastFrames <= FEW_FRAMES
        && !stopped
        && handshake.isComplete()
        && System.nanoTime() - quietSinceNanos >= QUIET_NANOS
        && link.isClear();
  }

  /** Encodes and writes one message; returns true if the lane is to be put on again. */
  private boolean sendOne(Serialization serialization) {
    lastFrames = 1;
    OutboundEnvelope envelope = next(true);
    Serializer serializer = envelope == null ? null : serializerFor(serialization, envelope);
    if (envelope != null && serializer != null) {
      if (!cheap(serializer)) {
        carried = envelope;
        return true;
      }
      write(envelope, serializer);
    }
    if (carried != null) {
      return true; // it was a handshake request that went before the message
    }
    becomeIdle();
    return false;
  }

  private void write(OutboundEnvelope envelope, Serializer serializer) {
    EnvelopeBuffer scratch = engine.transport.envelopeBufferPool().acquire();
    synchronized (encoder) {
      try {
        if (encoded(envelope, serializer, scratch, RemoteStats.meter())
            && !link.writeNow(scratch.byteBuffer())) {
          put(scratch);
          handOver();
        }
      } finally {
        engine.transport.envelopeBufferPool().release(scratch);
      }
    }
  }

  private void wake() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      submitOrLinger();
    }
  }

  private void submitOrLinger() {
    if (lingerNanos == 0 || stopped || !linger()) {
      submit();
    }
  }

  private boolean linger() {
    try {
      linger = link.loop().schedule(this::lingered, lingerNanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the event loop has died
    }
  }

  private void lingered() {
    linger = null;
    submit();
  }

  /** Ends the waiting for more messages when there are enough. */
  private void hurry() {
    ScheduledFuture<?> waiting = linger;
    if (waiting != null && queue.size() >= settings.maxPendingWrites() && waiting.cancel(false)) {
      lingered();
    }
  }

  private void submit() {
    boolean onLoop =
        settings.encodeOn() != RemoteSettings.EncodeOn.DISPATCHER && batchesOffLoop == 0;
    try {
      if (onLoop) {
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

  /** A part of the task: one message of a sender's, or what there is. */
  private void work(boolean one) {
    var information = Serialization$.MODULE$.currentTransportInformation();
    Serialization serialization = engine.serialization();
    Object before = information.value();
    information.value_$eq(serialization.serializationInformation());
    boolean again = true; // after a failure, too: what is left goes to the dead letters
    try {
      again = one ? sendOne(serialization) : drain(serialization);
    } catch (Throwable e) {
      end.accept(e);
      if (!NonFatal.apply(e)) {
        throw e;
      }
    } finally {
      information.value_$eq((Serialization.Information) before);
      if (again) {
        submit();
      }
    }
  }

  /** Returns true if the lane is to be put on again; else it is idle, or the link will do so. */
  private boolean drain(Serialization serialization) {
    boolean onLoop = link.loop().inEventLoop();
    lastFrames = 0;
    for (int i = 0; i < BATCHES_PER_RUN; i++) {
      if (stopped) {
        drainToDeadLetters();
        becomeIdle();
        return false;
      }
      if (link.parkUnlessWritable(resume)) {
        link.flush();
        return false;
      }
      long start = RemoteStats.detailed() ? System.nanoTime() : 0;
      Outcome outcome = batch(serialization, onLoop);
      if (start != 0) {
        link.counters.codecNanos.add(System.nanoTime() - start);
      }
      link.flush();
      if (outcome == Outcome.EMPTY) {
        becomeIdle();
        return false;
      }
      if (outcome == Outcome.MOVE) {
        break;
      }
    }
    return true;
  }

  private void becomeIdle() {
    quietSinceNanos = System.nanoTime();
    scheduled.set(false);
    boolean more = stopped ? !queue.isEmpty() : handshake.due(!queue.isEmpty());
    if (more && scheduled.compareAndSet(false, true)) {
      submit();
    }
  }

  private enum Outcome {
    /** There was no more to take. */
    EMPTY,
    /** A bound was reached. */
    FULL,
    /** The next message must not be serialised here. */
    MOVE
  }

  /** Encodes what is there into chunks, up to the bounds of one flush. */
  private Outcome batch(Serialization serialization, boolean onLoop) {
    int limit = link.isIdle() ? 1 : settings.maxPendingWrites();
    int bytes = 0;
    boolean expensive = false;
    MessageMeter meter = RemoteStats.meter();
    EnvelopeBuffer scratch = engine.transport.envelopeBufferPool().acquire();
    synchronized (encoder) {
      try {
        for (int frames = 0; frames < limit && bytes < settings.maxPendingBytes(); frames++) {
          OutboundEnvelope envelope = next(frames == 0);
          if (envelope == null) {
            return Outcome.EMPTY;
          }
          Serializer serializer = serializerFor(serialization, envelope);
          if (serializer == null) {
            continue;
          }
          if (!cheap(serializer)) {
            expensive = true;
            if (onLoop && settings.encodeOn() == RemoteSettings.EncodeOn.AUTO) {
              carried = envelope;
              batchesOffLoop = BATCHES_OFF_LOOP;
              return Outcome.MOVE;
            }
          }
          bytes += encode(envelope, serializer, scratch, meter);
        }
        return Outcome.FULL;
      } finally {
        handOver();
        engine.transport.envelopeBufferPool().release(scratch);
        if (expensive) {
          batchesOffLoop = BATCHES_OFF_LOOP;
        } else if (batchesOffLoop > 0) {
          batchesOffLoop--;
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

  private @Nullable Serializer serializerFor(
      Serialization serialization, OutboundEnvelope envelope) {
    Object message = envelope.message();
    if (message != null && message.getClass() == lastType) {
      return lastSerializer;
    }
    try {
      Serializer found = serialization.findSerializerFor(message);
      if (message != null) {
        lastType = message.getClass();
        lastSerializer = found;
      }
      return found;
    } catch (Exception e) {
      failures.failed(envelope, e, 0);
      return null;
    }
  }

  private boolean cheap(Serializer serializer) {
    Class<?> type = serializer.getClass();
    if (type == lastCheap) {
      return true;
    }
    boolean cheap = CheapSerialisers.write(serializer);
    if (cheap) {
      lastCheap = type;
    }
    return cheap;
  }

  private int encode(
      OutboundEnvelope envelope,
      Serializer serializer,
      EnvelopeBuffer scratch,
      @Nullable MessageMeter meter) {
    return encoded(envelope, serializer, scratch, meter) ? put(scratch) : 0;
  }

  /** Fills the buffer; returns false if that failed, which is told. */
  private boolean encoded(
      OutboundEnvelope envelope,
      Serializer serializer,
      EnvelopeBuffer scratch,
      @Nullable MessageMeter meter) {
    try {
      encoder.encode(envelope, serializer, scratch, meter);
    } catch (Throwable e) {
      if (!NonFatal.apply(e)) {
        throw e;
      }
      failures.failed(envelope, e, scratch.byteBuffer().capacity());
      return false;
    }
    if (logSend) {
      engine.log.debug(
          "sending remote message [{}] to [{}] from [{}]",
          envelope.message(),
          envelope.recipient() == null ? "" : envelope.recipient(),
          envelope.sender() == null ? "" : envelope.sender());
    }
    engine.transport.flightRecorder().tcpOutboundSent(scratch.byteBuffer().remaining());
    return true;
  }

  /** Copies a frame behind those that wait. */
  private int put(EnvelopeBuffer scratch) {
    int frame = scratch.byteBuffer().remaining();
    ByteBuf target = room(frame + Integer.BYTES);
    target.writeIntLE(frame);
    target.writeBytes(scratch.byteBuffer());
    chunkFrames++;
    return frame + Integer.BYTES;
  }

  private ByteBuf room(int bytes) {
    ByteBuf target = chunk;
    if (target != null && target.writableBytes() < bytes) {
      handOver();
      target = null;
    }
    if (target == null) {
      target = engine.buffers.directBuffer(Math.max(bytes, OutboundLink.CHUNK_BYTES));
      chunk = target;
    }
    return target;
  }

  private void handOver() {
    ByteBuf full = chunk;
    if (full != null) {
      chunk = null;
      int frames = chunkFrames;
      chunkFrames = 0;
      lastFrames += frames;
      link.offer(full, frames);
    }
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
    return change(() -> encoder.setRefTable(table));
  }

  @Override
  public Future<Done> changeClassManifestCompression(CompressionTable<String> table) {
    return change(() -> encoder.setManifestTable(table));
  }

  @Override
  public Future<Done> clearCompression() {
    return change(
        () -> {
          encoder.setRefTable(CompressionTable.empty());
          encoder.setManifestTable(CompressionTable.empty());
        });
  }

  /** Between two batches, but never behind a link that is not writable. */
  private Future<Done> change(Runnable tables) {
    CompletableFuture<Done> done = new CompletableFuture<>();
    try {
      engine
          .dispatcher()
          .execute(
              () -> {
                synchronized (encoder) {
                  tables.run();
                }
                done.complete(Done.getInstance());
              });
    } catch (RejectedExecutionException e) {
      done.completeExceptionally(e);
    }
    return FutureConverters.asScala(done);
  }

  @Override
  public String toString() {
    return "OutboundLane(" + queueIndex + " to " + association.remoteAddress() + ")";
  }
}
