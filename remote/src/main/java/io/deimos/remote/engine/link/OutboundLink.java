// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.count.Counters;
import io.deimos.remote.engine.count.FlushProfile;
import io.deimos.remote.engine.net.WritableSocket;
import io.deimos.remote.engine.pekko.KillSwitchWatch;
import io.deimos.remote.engine.task.SerialTask;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing connection of one stream to one peer, and the connections that follow it: joins the
 * life of the link ({@link LinkState}), what waits for it ({@link ChunkQueue}) and the connection
 * itself ({@link Connector}).
 *
 * <p><b>Life.</b> As in Artery: opened by the first frame, reopened by the first frame after a
 * pause that doubles up to five times {@code outbound-restart-backoff}; the control stream for
 * ever, the others three times in a row, then the owner is told. What was under way when a
 * connection broke is lost and counted. What an owner had begun to send when it broke comes in the
 * pause, and is the first that the next connection gets.
 *
 * <p><b>Batching.</b> Frames go into a chunk; whoever puts the first one there wakes the event
 * loop, once. The loop takes all chunks that are there and flushes them with one write. What
 * arrives during the write is the next batch. So an idle link flushes at once, a busy one by the
 * lengths of its writes.
 *
 * <p><b>Threads.</b> State, queue and waiters are guarded by {@code lock}; callbacks are made
 * outside it. {@link #parkIfFull} tests and parks in one step under that lock, and whoever makes
 * room wakes under the same lock: there is no moment for a wake-up to get lost in.
 *
 * <p><b>Profile.</b> A batch is counted when it is flushed: what the event loop has written since
 * the last flush, with the reason of its last chunk, or the one frame of a sender. It is timed from
 * then until its last chunk is in the socket.
 *
 * <p><b>Full.</b> Full from {@value #HIGH_WATER_BYTES} bytes on until half of them are written, in
 * buffers that are four times as long at most; the owner then leaves its messages in the
 * association's queue, where Artery's own bound and drop rule hold.
 */
public final class OutboundLink {
  private static final int HIGH_WATER_BYTES = 1 << 20;
  private static final int LOW_WATER_BYTES = HIGH_WATER_BYTES / 2;

  /** A frame of so many bytes is written where it was encoded, if it can be, to save a copy. */
  private static final int COSTLY_COPY_BYTES = Chunk.BYTES;

  /** The buffer of what waits behind other bytes may be this many times as long. */
  private static final int MAX_WASTE = 4;

  private static final int ORDINARY_RESTARTS = 3;
  private static final double RANDOM_FACTOR = 0.1;

  /** Whether frames may be put in. */
  public enum Room {
    FREE,
    FULL,
    /** Never again. */
    CLOSED
  }

  /** Whoever puts frames into a link. */
  public interface Owner {
    /** The link is beyond repair, or the peer ended it and no more attempts are due (null). */
    void ended(@Nullable Throwable failure);
  }

  public final Counters counters;

  private final TransportEngine engine;
  private final OutboundContext context;
  private final LinkLog log;
  private final Owner owner;
  private final int streamId;
  private final int mostRestarts;
  private final long minBackoffNanos;
  private final Reports reports = new Reports();
  private final SerialTask writing = new SerialTask(this::submit);

  private final Object lock = new Object();
  private final ChunkQueue queue;
  private final List<Runnable> waiters = new ArrayList<>();
  private final FlushProfile profile;
  private LinkState state;
  private @Nullable Connector connector;

  /** What was written and not flushed yet. */
  private int unflushedFrames;

  private long unflushedBytes;
  private @Nullable Chunk lastUnflushed;

  /** The connection as it is for senders, when they may write to it. */
  private @Nullable WritableSocket socket;

  /** Used by the association when the control stream has been idle. */
  private @Nullable SharedKillSwitch idleSwitch;

  private @Nullable KillSwitchWatch idleWatch;
  private volatile EventLoop loop;

  public OutboundLink(TransportEngine engine, OutboundContext context, int streamId, Owner owner) {
    this.engine = engine;
    this.context = context;
    this.owner = owner;
    this.streamId = streamId;
    log = new LinkLog(engine, context, streamId);
    mostRestarts = isControl() ? Integer.MAX_VALUE : ORDINARY_RESTARTS;
    minBackoffNanos = engine.artery().Advanced().OutboundRestartBackoff().toNanos();
    queue = new ChunkQueue(engine.buffers);
    state = LinkState.initial(System.nanoTime());
    loop = nextLoop();
    counters = engine.counters(context.remoteAddress().toString(), "out", streamId);
    profile = counters.newProfile();
  }

  private EventLoop nextLoop() {
    return isControl() ? engine.loops.control() : engine.loops.data();
  }

  private boolean isControl() {
    return streamId == ArteryTransport.ControlStreamId();
  }

  public EventLoop loop() {
    return loop;
  }

  /** Whether the next frame would open a connection; then one is enough, as it may be lost. */
  public boolean isIdle() {
    synchronized (lock) {
      return state.phase() == LinkState.Phase.IDLE;
    }
  }

  /** Says whether frames may be put in; if not now, the waiter will run once, to ask again. */
  public Room parkIfFull(Runnable waiter) {
    synchronized (lock) {
      Room room = room();
      if (room == Room.FULL) {
        waiters.add(waiter);
      }
      return room;
    }
  }

  private Room room() {
    return switch (state.phase()) {
      case OPEN -> queue.pendingBytes() < HIGH_WATER_BYTES ? Room.FREE : Room.FULL;
      case IDLE -> queue.isClear() ? Room.FREE : Room.FULL;
      case CONNECTING, PAUSING -> Room.FULL;
      case CLOSED -> Room.CLOSED;
    };
  }

  /**
   * Copies one frame, given from the buffer's position to its limit, behind those that wait. A
   * large one that nothing waits before is written at once, since that saves the copy.
   */
  public void append(ByteBuffer frame) {
    if (frame.remaining() + Integer.BYTES >= COSTLY_COPY_BYTES && writeNow(frame)) {
      return;
    }
    synchronized (lock) {
      if (state.phase() == LinkState.Phase.CLOSED) {
        counters.dropped.increment();
        return;
      }
      queue.append(frame);
    }
    writing.wake();
  }

  /** Takes a chunk over; on the event loop it is written, but not flushed before {@link #flush}. */
  public void offer(ByteBuf buffer, int frames, FlushReason reason) {
    synchronized (lock) {
      if (state.phase() == LinkState.Phase.CLOSED) {
        counters.dropped.add(frames);
        buffer.release();
        return;
      }
      queue.add(new Chunk(buffer, frames, reason));
    }
    if (loop.inEventLoop()) {
      write();
    } else {
      writing.wake();
    }
  }

  /** Whether nothing waits before a frame that is brought to {@link #writeNow} at once. */
  public boolean isClear() {
    synchronized (lock) {
      return socket != null && queue.isClear();
    }
  }

  /**
   * Writes a frame, given from the buffer's position to its limit, on the calling thread, unless
   * anything waits before it; what the socket does not take is left to the event loop.
   *
   * @return false if nothing of it was taken
   */
  public boolean writeNow(ByteBuffer frame) {
    WritableSocket target;
    Connector connection;
    int epoch;
    int bytes = frame.remaining() + Integer.BYTES;
    synchronized (lock) {
      target = socket;
      connection = connector;
      if (target == null || connection == null || !queue.isClear()) {
        return false;
      }
      epoch = queue.beginSendersTurn(bytes);
    }
    long start = RemoteStats.detailed() ? System.nanoTime() : 0;
    Chunk rest = null;
    Throwable failure = null;
    try {
      target.writeNow(frame);
      rest = unwritten(target.unwrittenHead(), frame);
    } catch (Throwable e) { // an error as well: how much was written is not known
      failure = e;
    }
    long nanos = start == 0 ? 0 : Math.max(1, System.nanoTime() - start);
    counters.flushNanos.add(nanos);
    endSendersTurn(connection, epoch, bytes, nanos, rest, failure);
    return true;
  }

  /** What a socket did not take. */
  private @Nullable Chunk unwritten(ByteBuffer head, ByteBuffer frame) {
    int left = head.remaining() + frame.remaining();
    return frame.hasRemaining()
        ? new Chunk(
            engine.buffers.directBuffer(left).writeBytes(head).writeBytes(frame),
            1,
            FlushReason.IDLE)
        : null;
  }

  private void endSendersTurn(
      Connector connection,
      int epoch,
      int bytes,
      long nanos,
      @Nullable Chunk rest,
      @Nullable Throwable failure) {
    boolean waits;
    boolean due;
    List<Runnable> ready;
    synchronized (lock) {
      waits = queue.endSendersTurn(epoch, bytes, rest);
      profile.flushed(FlushReason.IDLE, 1, bytes);
      if (nanos != 0) {
        profile.took(nanos);
      }
      if (failure != null && connector == connection) {
        socket = null; // what follows would be taken for the rest of this frame
      }
      due = queue.isDue() || state.phase() == LinkState.Phase.CLOSED;
      ready = takeWaitersIfLow();
    }
    if (failure != null) {
      counters.dropped.increment();
      connection.fail(failure);
    } else if (rest == null) {
      counters.messages.increment();
      counters.bytes.add(bytes);
    } else {
      counters.bytes.add(bytes - rest.bytes());
      if (!waits) { // the connection has ended meanwhile
        counters.dropped.increment();
        rest.buffer.release();
      }
    }
    if (due) {
      writing.wake();
    }
    ready.forEach(Runnable::run);
  }

  /** Flushes what was written; only on the event loop, elsewhere it happens by itself. */
  public void flush() {
    if (loop.inEventLoop()) {
      Connector open;
      synchronized (lock) {
        open = state.phase() == LinkState.Phase.OPEN ? connector : null;
        if (open == null || !open.isOnLoop()) {
          return;
        }
        countFlush();
      }
      open.flush();
    }
  }

  /** Under the lock, on the event loop: the socket is about to be given all that was written. */
  private void countFlush() {
    Chunk last = lastUnflushed;
    if (last == null) {
      return;
    }
    profile.flushed(last.reason, unflushedFrames, unflushedBytes);
    if (RemoteStats.detailed()) {
      last.flushedNanos = System.nanoTime();
    }
    forgetUnflushed();
  }

  private void forgetUnflushed() {
    lastUnflushed = null;
    unflushedFrames = 0;
    unflushedBytes = 0;
  }

  /** Under the lock. The rest of a sender's frame was counted with its beginning. */
  private void willWrite(List<Chunk> batch) {
    for (Chunk chunk : batch) {
      if (chunk.reason != FlushReason.IDLE) {
        unflushedFrames += chunk.frames();
        unflushedBytes += chunk.bytes();
        lastUnflushed = chunk;
      }
    }
  }

  private void submit() {
    try {
      loop.execute(this::writeAndFlush);
    } catch (RejectedExecutionException e) {
      do {
        lost(attempt(), e);
      } while (!writing.tryRelease());
    }
  }

  private int attempt() {
    synchronized (lock) {
      return state.attempt();
    }
  }

  /** On the event loop: one batch. */
  private void writeAndFlush() {
    write();
    flush();
    writing.finish();
  }

  private void write() {
    List<Chunk> batch = List.of();
    Connector target;
    boolean begins = false;
    boolean behind = false;
    boolean last = false;
    synchronized (lock) {
      if (connector != null && !connector.isOnLoop()) {
        writing.wake(); // the link has gone to another loop, which comes here next
        return;
      }
      switch (state.phase()) {
        case IDLE -> {
          if (!queue.isDue()) {
            return;
          }
          state = state.connecting();
          connector =
              new Connector(
                  engine, context.remoteAddress(), streamId, state.attempt(), loop, reports);
          begins = true;
        }
        case OPEN -> {
          batch = queue.take();
          behind = queue.pendingBytes() > sum(batch);
          willWrite(batch);
        }
        case CLOSED -> {
          last = connector != null && !queue.isSendersTurn();
          batch = queue.take();
          willWrite(batch);
          if (last) {
            countFlush();
            counters.end(profile);
          }
        }
        case CONNECTING, PAUSING -> {
          return;
        }
      }
      target = connector;
      if (last) {
        connector = null;
      }
    }
    if (target == null || (!begins && batch.isEmpty() && !last)) {
      return;
    }
    if (begins) {
      begin(target);
      return;
    }
    for (Chunk chunk : batch) {
      ByteBuf bytes = behind ? fitting(chunk.buffer) : chunk.buffer;
      target.write(bytes, future -> written(chunk, future));
    }
    if (last) {
      target.finish();
    }
  }

  private static long sum(List<Chunk> batch) {
    long bytes = 0;
    for (Chunk chunk : batch) {
      bytes += chunk.bytes();
    }
    return bytes;
  }

  /** What has to wait must not take much more memory than is counted for it. */
  private ByteBuf fitting(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    if (bytes > buffer.capacity() / MAX_WASTE) {
      return buffer;
    }
    ByteBuf fitting = engine.buffers.directBuffer(bytes).writeBytes(buffer);
    buffer.release();
    return fitting;
  }

  private void written(Chunk chunk, ChannelFuture future) {
    long nanos = 0;
    if (future.isSuccess()) {
      counters.messages.add(chunk.frames());
      counters.bytes.add(chunk.bytes());
      if (chunk.flushedNanos != 0) {
        nanos = Math.max(1, System.nanoTime() - chunk.flushedNanos);
        counters.flushNanos.add(nanos);
      }
    } else {
      counters.dropped.add(chunk.frames());
    }
    List<Runnable> ready;
    synchronized (lock) {
      queue.written(chunk);
      if (nanos != 0) {
        profile.took(nanos);
      }
      ready = takeWaitersIfLow();
    }
    ready.forEach(Runnable::run);
  }

  private List<Runnable> takeWaitersIfLow() {
    return queue.pendingBytes() <= LOW_WATER_BYTES ? takeWaiters() : List.of();
  }

  private List<Runnable> takeWaiters() {
    if (waiters.isEmpty() || room() == Room.FULL) {
      return List.of();
    }
    List<Runnable> ready = List.copyOf(waiters);
    waiters.clear();
    return ready;
  }

  private void begin(Connector attempt) {
    log.connecting();
    if (isControl() && context instanceof Association association) {
      SharedKillSwitch idle = KillSwitches.shared("outboundControlStreamIdleKillSwitch");
      synchronized (lock) {
        idleSwitch = idle;
      }
      association.setControlIdleKillSwitch(idle);
    }
    attempt.start();
  }

  /**
   * The control stream itself is never stopped when it is idle, only its connection. There is
   * nothing to watch before there is one, so attempts that fail leave nothing behind.
   */
  private void watchIdle(Connector connection) {
    KillSwitchWatch watch = new KillSwitchWatch(cause -> connection.close());
    SharedKillSwitch idle;
    synchronized (lock) {
      boolean open = state.phase() == LinkState.Phase.OPEN && connector == connection;
      idle = open ? idleSwitch : null;
      if (idle != null) {
        idleWatch = watch;
      }
    }
    if (idle != null) {
      watch.start(engine.transport.controlMaterializer(), idle, null);
    }
  }

  /** What the connector reports. */
  private final class Reports implements Connector.Listener {
    @Override
    public void opened(Connector connection) {
      List<Runnable> ready = List.of();
      boolean wanted;
      synchronized (lock) {
        state = state.opened(connection.attempt);
        wanted = connector == connection && state.phase() == LinkState.Phase.OPEN;
        if (wanted) {
          counters.opened();
          ready = takeWaiters();
        }
      }
      if (wanted) {
        write();
        synchronized (lock) {
          countFlush(); // with the header, as soon as this returns
        }
        watchIdle(connection);
        ready.forEach(Runnable::run);
      } else {
        connection.close();
      }
    }

    @Override
    public void headerWritten(Connector connection, WritableSocket writable) {
      synchronized (lock) {
        if (state.phase() == LinkState.Phase.OPEN && connector == connection) {
          socket = writable;
        }
      }
    }

    @Override
    public void received(Connector connection) {
      end(connection.attempt, log.unexpectedBytes());
    }

    @Override
    public void lost(Connector connection, @Nullable Throwable reason) {
      OutboundLink.this.lost(connection.attempt, reason);
    }
  }

  /** The present connection must not be followed by another. */
  private void end(int attempt, Throwable reason) {
    synchronized (lock) {
      if (!state.isAlive(attempt)) {
        return;
      }
      leave(state.closed());
    }
    owner.ended(reason);
  }

  /** The connection, or the attempt at one, is over; of several reports the first counts. */
  private void lost(int attempt, @Nullable Throwable reason) {
    boolean terminal;
    Duration pause = Duration.ZERO;
    synchronized (lock) {
      if (!state.isAlive(attempt)) {
        if (connector != null && connector.attempt == attempt) {
          counters.dropped.add(queue.drop()); // the last that was to be sent
          connector = null;
          counters.end(profile);
        }
        return;
      }
      leave(state.lost(attempt, System.nanoTime(), mostRestarts));
      terminal = state.phase() == LinkState.Phase.CLOSED;
      if (!terminal) {
        double noise = ThreadLocalRandom.current().nextDouble() * RANDOM_FACTOR;
        pause = Duration.ofNanos(state.pauseNanos(minBackoffNanos, noise));
      }
    }
    log.closed();
    log.lost(reason);
    if (terminal) {
      owner.ended(reason == null ? null : LinkLog.tcpException(reason));
    } else {
      later(pause);
    }
  }

  /** Under the lock: the connection is given up, with all that waits for it. */
  private void leave(LinkState next) {
    if (state.phase() == LinkState.Phase.OPEN) {
      counters.closed();
    }
    state = next;
    connector = null;
    socket = null;
    counters.dropped.add(queue.drop());
    forgetUnflushed();
    if (next.phase() == LinkState.Phase.CLOSED) {
      counters.end(profile);
    }
    closeIdleWatch();
  }

  private void closeIdleWatch() {
    if (idleWatch != null) {
      idleWatch.close();
      idleWatch = null;
    }
  }

  private void later(Duration pause) {
    try {
      engine
          .system
          .scheduler()
          .scheduleOnce(pause, this::afterPause, engine.system.dispatchers().internalDispatcher());
    } catch (IllegalStateException e) {
      log.noReconnect();
    }
  }

  private void afterPause() {
    boolean due;
    List<Runnable> ready;
    synchronized (lock) {
      if (state.phase() != LinkState.Phase.PAUSING) {
        return;
      }
      state = state.pauseOver(System.nanoTime(), minBackoffNanos);
      if (!engine.isClosed()) {
        loop = nextLoop();
      }
      due = queue.isDue();
      ready = takeWaiters();
    }
    if (due) {
      writing.wake();
    }
    ready.forEach(Runnable::run);
  }

  /**
   * Ends the link for good. What is in it is still sent if there is a connection, unless the peer
   * is in quarantine.
   *
   * @param cause why its stream has ended; null if that was in order
   */
  public void close(@Nullable Throwable cause) {
    Connector unfinished = null;
    boolean finishes;
    List<Runnable> parked;
    synchronized (lock) {
      finishes =
          state.phase() == LinkState.Phase.OPEN
              && cause != Association.OutboundStreamStopQuarantinedSignal$.MODULE$;
      if (finishes) {
        counters.closed();
        state = state.closed();
        socket = null;
        closeIdleWatch();
      } else if (state.phase() != LinkState.Phase.CLOSED) {
        unfinished = connector;
        leave(state.closed());
      }
      parked = takeWaiters();
    }
    parked.forEach(Runnable::run);
    if (finishes || unfinished != null) {
      log.closed();
    }
    if (finishes) {
      writing.wake();
    } else if (unfinished != null) {
      unfinished.abort();
    }
  }
}
