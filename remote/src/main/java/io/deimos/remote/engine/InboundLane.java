// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.RemoteStats;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serialization$;
import org.jspecify.annotations.Nullable;
import scala.util.control.NonFatal;

/**
 * Takes the bytes of a connection with ordinary messages apart and has them decoded and delivered,
 * without a hop per message.
 *
 * <p><b>Threads.</b> The event loop puts buffers into the queue; {@link #run} is one serial task on
 * the dispatcher of Artery's streams, put there by whoever turns {@code scheduled} from false to
 * true. The event loop runs it itself where little comes, as far as decoding and delivering that
 * runs no code but Pekko's own and waits for nothing. While something must be waited for (a
 * handshake, an actor that is being deployed, the messages of an earlier connection) it stays
 * scheduled, and what was waited for puts it on again.
 */
final class InboundLane implements FrameReceiver, Runnable {
  /** Frames per run, so that other connections get their turn. */
  private static final int FRAMES_PER_RUN = 1024;

  /** Between two looks whether earlier connections have delivered. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  /** Of two reads in a row, if the second is to be decoded at once; more is worth a thread. */
  private static final int SWIFT_BYTES = 2 * 1024;

  private static final int SCRATCH_BYTES = 4 * 1024;
  private static final int GROWTH_BYTES = 64 * 1024;

  private final InboundLanes lanes;
  private final InboundConnection connection;
  private final EnvelopeDecoder decoder;
  private final int longest;
  private final Queue<ByteBuf> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private boolean broken;

  /** This run is the event loop's own. */
  private boolean swift;

  /** The last read was a small one. The event loop's alone. */
  private boolean lastFew;

  private volatile boolean ended;
  private volatile boolean over;
  private long uid;
  private ConnectionOrder.@Nullable Turn turn;
  private boolean waitsItsTurn;

  private @Nullable ByteBuf current;
  private ByteBuffer view = ByteBuffer.allocate(0);
  private int headBytes;
  private int length;
  private int filled;
  private EnvelopeBuffer scratch = newScratch(SCRATCH_BYTES);

  InboundLane(InboundLanes lanes, InboundConnection connection) {
    this.lanes = lanes;
    this.connection = connection;
    decoder = new EnvelopeDecoder(lanes, connection, this::submit);
    longest = FrameCutter.longest(lanes.engine.artery());
  }

  private static EnvelopeBuffer newScratch(int bytes) {
    return new EnvelopeBuffer(ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public void data(ByteBuf bytes) {
    boolean few = bytes.readableBytes() <= SWIFT_BYTES;
    boolean before = lastFew;
    lastFew = few;
    queue.add(bytes);
    connection.take(bytes.capacity());
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      if (few && before && isSwift()) {
        swift = true;
        run();
      } else {
        submit();
      }
    }
  }

  /** Whether this thread may decode, as nothing else waits and the peer is known. */
  private boolean isSwift() {
    return turn != null
        && !waitsItsTurn
        && current == null
        && headBytes == 0
        && !broken
        && decoder.isIdle();
  }

  @Override
  public void ended() {
    ended = true;
    wake(); // what is in the queue is still delivered
  }

  /** Whether all that came has been delivered, and no more will come. Any thread. */
  boolean isOver() {
    return over;
  }

  /** Whether there is something still to be delivered, as far as can be told. Any thread. */
  boolean isBehind() {
    return ended || scheduled.get();
  }

  private void wake() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      submit();
    }
  }

  private void submit() {
    try {
      lanes.engine.dispatcher().execute(this);
    } catch (RejectedExecutionException e) {
      lanes.engine.log.debug("Received messages are not delivered, as the system is down");
    }
  }

  @Override
  public void run() {
    var information = Serialization$.MODULE$.currentTransportInformation();
    Object before = information.value();
    information.value_$eq(lanes.engine.serialization().serializationInformation());
    long start = RemoteStats.detailed() ? System.nanoTime() : 0;
    Counters counters = connection.counters;
    boolean again;
    try {
      again = work(counters);
    } catch (BadFrameException e) {
      connection.reject("it sent " + e.getMessage());
      broken = true;
      discard();
      again = true;
    } catch (Throwable e) {
      connection.reject("decoding failed: " + e);
      broken = true;
      discard();
      again = true;
      if (!NonFatal.apply(e)) {
        throw e;
      }
    } finally {
      information.value_$eq((Serialization.Information) before);
      if (start != 0 && counters != null) {
        counters.codecNanos.add(System.nanoTime() - start);
      }
    }
    swift = false;
    if (!again) {
      if (waitsItsTurn) {
        lanes.later(LOOK_AGAIN, this::submit);
      } else {
        decoder.wakeWhenReady();
      }
      return;
    }
    boolean last = ended; // nothing comes after this
    if (hasWork()) {
      submit();
      return;
    }
    if (last && isToBeEnded()) {
      if (!decoder.isIdle()) {
        decoder.wakeWhenIdle();
        return;
      }
      over = true;
      lanes.order.over(uid, this);
    }
    scheduled.set(false);
    if ((hasWork() || (ended && isToBeEnded())) && scheduled.compareAndSet(false, true)) {
      submit();
    }
  }

  /** Whether later connections wait for this one, and have yet to be told of its end. */
  private boolean isToBeEnded() {
    return turn != null && !over;
  }

  private boolean hasWork() {
    return current != null || !queue.isEmpty();
  }

  /** Decodes what is there; returns false if it has to wait in the middle. */
  private boolean work(@Nullable Counters counters) {
    int frames = 0;
    long bytes = 0;
    try {
      if (decoder.isWaiting() && !decoder.goOn()) {
        return false;
      }
      while (frames < FRAMES_PER_RUN) {
        if (broken || lanes.isClosed()) {
          discard();
          return true;
        }
        if (!waitsItsTurn && !load(counters)) {
          return true;
        }
        if (headBytes > 0 || view.remaining() < Integer.BYTES || turn == null) {
          if (!waitsItsTurn && !fill()) {
            continue;
          }
          if (!isItsTurn()) {
            return false;
          }
          frames++;
          bytes += length + Integer.BYTES;
          headBytes = 0;
          if (!decode(scratch.byteBuffer(), 0, length, scratch)) {
            return false;
          }
        } else {
          int from = view.position() + Integer.BYTES;
          int size = FrameCutter.checkLength(view.getInt(view.position()), longest);
          if (view.remaining() - Integer.BYTES < size) {
            fill();
            continue;
          }
          if (swift && !decoder.isSwift(view, from, size)) {
            return true; // the rest is a matter of the dispatcher
          }
          view.position(from + size);
          frames++;
          bytes += size + Integer.BYTES;
          if (!decodeInPlace(from, size)) {
            return false;
          }
        }
      }
      return true;
    } finally {
      decoder.deliverHeld();
      if (counters != null && frames > 0) {
        connection.peerIs(decoder.uid());
        counters.messages.add(frames);
        counters.bytes.add(bytes);
      }
    }
  }

  /** Asked with a whole frame in scratch: the first one waits for those of earlier connections. */
  private boolean isItsTurn() {
    ConnectionOrder.Turn mine = turn;
    if (mine == null) {
      uid = scratch.byteBuffer().getLong(EnvelopeEncoder.UID);
      mine = lanes.order.begin(uid, this);
      turn = mine;
      waitsItsTurn = true;
    }
    if (!waitsItsTurn) {
      return true;
    }
    if (!mine.hasCome()) {
      return false;
    }
    waitsItsTurn = false;
    turn = ConnectionOrder.Turn.COME;
    if (mine.wasGivenUp()) {
      lanes.engine.log.warning(
          "Messages of a new connection from [{}] may overtake some of the one before, which are"
              + " still being delivered",
          connection.channel.remoteAddress());
    }
    return true;
  }

  /** A view of the buffer is enough, unless instruments want the envelope from position 0. */
  private boolean decodeInPlace(int from, int size) {
    int next = view.position();
    int limit = view.limit();
    if (!decoder.needsEnvelope(view.get(from + EnvelopeEncoder.FLAGS))) {
      boolean went = decode(view, from, size, null);
      view.limit(limit).position(next);
      return went;
    }
    ensureScratch(size, 0);
    ByteBuffer copy = scratch.byteBuffer().clear();
    view.limit(from + size).position(from);
    copy.put(view);
    view.limit(limit).position(next);
    return decode(copy, 0, size, scratch);
  }

  private boolean decode(ByteBuffer buffer, int from, int size, @Nullable EnvelopeBuffer envelope) {
    lanes.engine.transport.flightRecorder().tcpInboundReceived(size);
    return decoder.decode(buffer, from, size, envelope);
  }

  /** Makes sure that there are bytes in view; false if there are none left. */
  private boolean load(@Nullable Counters counters) {
    while (!view.hasRemaining()) {
      unload();
      ByteBuf next = queue.poll();
      if (next == null) {
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

  /** Puts together a frame that lies across buffers; true when it is whole. */
  private boolean fill() {
    while (headBytes < Integer.BYTES) {
      if (!view.hasRemaining()) {
        return false;
      }
      length = headBytes == 0 ? 0 : length;
      length |= (view.get() & 0xFF) << (8 * headBytes++);
      if (headBytes == Integer.BYTES) {
        FrameCutter.checkLength(length, longest);
        filled = 0;
      }
    }
    int part = Math.min(length - filled, view.remaining());
    ensureScratch(filled + part, filled);
    ByteBuffer target = scratch.byteBuffer();
    target.limit(target.capacity()).position(filled);
    int limit = view.limit();
    view.limit(view.position() + part);
    target.put(view);
    view.limit(limit);
    filled += part;
    return filled == length;
  }

  private void ensureScratch(int bytes, int keep) {
    ByteBuffer old = scratch.byteBuffer();
    if (old.capacity() < bytes) {
      int capacity = (int) Math.min(longest, Math.max(bytes + (long) GROWTH_BYTES, 2L * bytes));
      EnvelopeBuffer grown = newScratch(capacity);
      grown.byteBuffer().put(0, old, 0, keep);
      scratch = grown;
    }
  }

  private void discard() {
    do {
      unload();
      current = queue.poll();
    } while (current != null);
    view = ByteBuffer.allocate(0);
    waitsItsTurn = false;
  }
}
