// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.count.Refusal;
import io.deimos.remote.engine.in.FrameReceiver;
import io.deimos.remote.engine.in.InboundConnection;
import io.deimos.remote.engine.task.SerialTask;
import io.deimos.remote.engine.wire.BadFrameException;
import io.deimos.remote.engine.wire.EnvelopeEncoder;
import io.deimos.remote.engine.wire.PartialFrame;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serialization$;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Takes the bytes of a connection with ordinary messages apart and has them decoded and delivered,
 * without a hop per message.
 *
 * <p><b>Threads.</b> The event loop puts buffers into the queue and wakes the task, which runs on
 * the dispatcher of Artery's streams. The event loop runs it itself where little comes, as far as
 * decoding and delivering that runs no code but Pekko's own and waits for nothing. While something
 * must be waited for (a handshake, an actor that is being deployed, the messages of an earlier
 * connection) the task keeps its right to run, and what was waited for submits it again.
 */
public final class InboundLane implements FrameReceiver, Runnable, ConnectionOrder.Earlier {
  /** Frames per run, so that other connections get their turn. */
  private static final int FRAMES_PER_RUN = 1024;

  /** Between two looks whether earlier connections have delivered. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  /**
   * The bytes of two reads in a row, if the second is to be decoded at once; more is worth a
   * thread.
   */
  private static final int SWIFT_BYTES = 2 * 1024;

  /** The buffer for frames that come in pieces while none comes. */
  private static final int SCRATCH_BYTES = 4 * 1024;

  /** The states of the connection; each turns into the next ones only. */
  private enum Life {
    OPEN,
    /** No more bytes will come; what is there is still delivered. */
    ENDED,
    /** All that came has been delivered. */
    OVER
  }

  /** Whether frames may be decoded. */
  private enum Frames {
    /** None was there, so nobody knows whose they are. */
    NONE,
    /** The first one is there; earlier connections of its system come first. */
    WAIT,
    FLOW,
    /** One could not be believed, so none that follows can be found. */
    BROKEN
  }

  /** How a run ends. */
  private enum End {
    /** There is nothing left. */
    EMPTY,
    /** There may be more, for another run. */
    MORE,
    /** Something has to be waited for. */
    WAITING
  }

  private final InboundLanes lanes;
  private final InboundConnection connection;
  private final EnvelopeDecoder decoder;
  private final PartialFrame partial;
  private final Queue<ByteBuf> queue = new ConcurrentLinkedQueue<>();
  private final SerialTask task = new SerialTask(this::execute);
  private volatile Life life = Life.OPEN;

  /** The last read was a small one. The event loop's alone. */
  private boolean lastFew;

  private Frames frames = Frames.NONE;
  private long uid;
  private ConnectionOrder.@Nullable Turn turn;
  private @Nullable ByteBuf current;
  private ByteBuffer view = ByteBuffer.allocate(0);
  private @Nullable EnvelopeBuffer envelope;

  public InboundLane(InboundLanes lanes, InboundConnection connection) {
    this.lanes = lanes;
    this.connection = connection;
    decoder = new EnvelopeDecoder(lanes, connection, task::submit);
    partial = new PartialFrame(connection, InboundLane::newScratch);
  }

  /** Rounded up, as it serves the next frames, too. */
  private static ByteBuffer newScratch(int bytes) {
    int rounded = bytes <= SCRATCH_BYTES ? SCRATCH_BYTES : Integer.highestOneBit(bytes - 1) << 1;
    return PartialFrame.newBuffer(Math.max(bytes, rounded));
  }

  @Override
  public void data(ByteBuf bytes) {
    boolean few = bytes.readableBytes() <= SWIFT_BYTES;
    boolean before = lastFew;
    lastFew = few;
    queue.add(bytes);
    connection.take(bytes.capacity());
    if (task.tryClaim()) {
      if (few && before && isSwift()) {
        run(true);
      } else {
        task.submit();
      }
    }
  }

  /** Whether this thread may decode, as nothing else waits and the peer is known. */
  private boolean isSwift() {
    return frames == Frames.FLOW && current == null && !partial.isInside() && decoder.isIdle();
  }

  @Override
  public void ended() {
    life = Life.ENDED;
    task.wake(); // what is in the queue is still delivered
  }

  @Override
  public boolean isOver() {
    return life == Life.OVER;
  }

  @Override
  public boolean isBehind() {
    return life == Life.ENDED || !task.isIdle();
  }

  private void execute() {
    try {
      lanes.engine.dispatcher().execute(this);
    } catch (RejectedExecutionException e) {
      lanes.engine.log.debug("Received messages are not delivered, as the system is down");
    }
  }

  @Override
  public void run() {
    run(false);
  }

  /**
   * One run of the task.
   *
   * @param swift whether it is the event loop's own
   */
  private void run(boolean swift) {
    var information = Serialization$.MODULE$.currentTransportInformation();
    Object before = information.value();
    information.value_$eq(lanes.engine.serialization().serializationInformation());
    long start = RemoteStats.detailed() ? System.nanoTime() : 0;
    Counters counters = connection.counters;
    boolean last = life == Life.ENDED; // nothing comes after this
    End end = End.MORE;
    try {
      end = work(counters, swift);
    } catch (BadFrameException e) {
      connection.refuse(Refusal.BAD_FRAME, "it sent " + e.getMessage());
      discard();
    } catch (Throwable e) {
      connection.refuse(Refusal.BAD_FRAME, "decoding failed: " + e);
      discard();
      if (!NonFatal.apply(e)) {
        throw e;
      }
    } finally {
      information.value_$eq((Serialization.Information) before);
      if (start != 0 && counters != null) {
        counters.codecNanos.add(System.nanoTime() - start);
      }
      end(end, last);
    }
  }

  private void end(End how, boolean last) {
    switch (how) {
      case MORE -> task.submit();
      case WAITING -> {
        if (frames == Frames.WAIT) {
          lanes.later(LOOK_AGAIN, task::submit);
        } else {
          decoder.wakeWhenReady();
        }
      }
      case EMPTY -> {
        if (last && life == Life.ENDED) {
          if (!decoder.isIdle()) {
            decoder.wakeWhenIdle();
            return;
          }
          over();
        }
        task.finish();
      }
    }
  }

  /** Tells later connections that they need not wait any more. */
  private void over() {
    life = Life.OVER;
    if (turn != null) {
      lanes.order.over(uid, connection.address(), this);
    }
    decoder.close();
  }

  /** Decodes what is there. */
  private End work(@Nullable Counters counters, boolean swift) {
    int count = 0;
    long bytes = 0;
    try {
      if (decoder.isWaiting() && decoder.goOn() == EnvelopeDecoder.Outcome.WAITING) {
        return End.WAITING;
      }
      while (count < FRAMES_PER_RUN) {
        if (frames == Frames.BROKEN || lanes.isClosed()) {
          discard();
          return End.EMPTY;
        }
        if (frames != Frames.WAIT && !load(counters)) {
          return End.EMPTY;
        }
        int size = wholeInView();
        EnvelopeDecoder.Outcome outcome;
        if (size > 0) {
          int from = view.position() + Integer.BYTES;
          if (swift && !decoder.isSwift(view, from, size)) {
            return End.MORE; // the rest is a matter of the dispatcher
          }
          view.position(from + size);
          outcome = decodeInPlace(from, size);
        } else {
          if (frames != Frames.WAIT && !partial.fill(view)) {
            continue;
          }
          if (frames != Frames.FLOW && !isItsTurn()) {
            return End.WAITING;
          }
          size = partial.length();
          ByteBuffer frame = partial.frame();
          partial.next();
          outcome = decode(frame, 0, size, enveloped(frame));
        }
        count++;
        bytes += size + Integer.BYTES;
        if (outcome == EnvelopeDecoder.Outcome.WAITING) {
          return End.WAITING;
        }
      }
      return End.MORE;
    } finally {
      decoder.deliverHeld();
      if (counters != null && count > 0) {
        connection.peerIs(decoder.uid());
        counters.messages.add(count);
        counters.bytes.add(bytes);
      }
    }
  }

  /**
   * The size of the next frame if all of it is in view, so that it need not be copied; else 0. The
   * first one of a connection is copied, as it may have to wait.
   */
  private int wholeInView() {
    int remaining = view.remaining() - Integer.BYTES;
    if (frames != Frames.FLOW || remaining < 0 || partial.isInside()) {
      return 0;
    }
    int size = PartialFrame.checkLength(view.getInt(view.position()), connection.longest());
    return remaining < size ? 0 : size;
  }

  /** Asked with a whole frame there: the first one waits for those of earlier connections. */
  private boolean isItsTurn() {
    ConnectionOrder.Turn mine = turn;
    if (mine == null) {
      uid = partial.frame().getLong(EnvelopeEncoder.UID);
      mine = lanes.order.begin(uid, connection.address(), this);
      turn = mine;
      frames = Frames.WAIT;
    }
    if (!mine.hasCome()) {
      return false;
    }
    frames = Frames.FLOW;
    turn = ConnectionOrder.Turn.COME;
    if (mine.wasGivenUp()) {
      lanes.engine.log.warning(
          "Messages of a new connection from [{}] may overtake some of the one before, which are"
              + " still being delivered",
          connection.remote());
    }
    return true;
  }

  /** A view of the buffer is enough, unless instruments want the envelope from position 0. */
  private EnvelopeDecoder.Outcome decodeInPlace(int from, int size) {
    int next = view.position();
    int limit = view.limit();
    EnvelopeDecoder.Outcome outcome;
    if (decoder.needsEnvelope(view.get(from + EnvelopeEncoder.FLAGS))) {
      ByteBuffer copy = partial.borrow(size);
      copy.put(0, view, from, size);
      outcome = decode(copy, 0, size, enveloped(copy));
    } else {
      outcome = decode(view, from, size, null);
    }
    view.limit(limit).position(next);
    return outcome;
  }

  /** The buffer as instruments want it. */
  @SuppressWarnings("ReferenceEquality") // whether it is the very same buffer
  private EnvelopeBuffer enveloped(ByteBuffer frame) {
    EnvelopeBuffer known = envelope;
    if (known == null || known.byteBuffer() != frame) {
      known = new EnvelopeBuffer(frame);
      envelope = known;
    }
    return known;
  }

  private EnvelopeDecoder.Outcome decode(
      ByteBuffer buffer, int from, int size, @Nullable EnvelopeBuffer envelope) {
    lanes.engine.transport.flightRecorder().tcpInboundReceived(size);
    return decoder.decode(buffer, from, size, envelope);
  }

  /** Makes sure that there are bytes in view; false if there are none left. */
  private boolean load(@Nullable Counters counters) {
    while (!view.hasRemaining()) {
      unload();
      ByteBuf next = queue.poll();
      if (next == null) {
        rest();
        return false;
      }
      current = next;
      view = next.nioBuffer().order(ByteOrder.LITTLE_ENDIAN);
      if (counters != null) {
        counters.flushes.increment();
      }
    }
    return true;
  }

  private void unload() {
    ByteBuf done = current;
    if (done != null) {
      current = null;
      view = ByteBuffer.allocate(0);
      connection.give(done.capacity());
      done.release();
    }
  }

  /** Lets go what a large frame needed, when nothing comes any more. */
  private void rest() {
    if (partial.shrink(SCRATCH_BYTES)) {
      envelope = null;
    }
  }

  private void discard() {
    frames = Frames.BROKEN;
    do {
      unload();
      current = queue.poll();
    } while (current != null);
    view = ByteBuffer.allocate(0);
    if (turn != null) {
      turn = ConnectionOrder.Turn.COME;
    }
  }
}
