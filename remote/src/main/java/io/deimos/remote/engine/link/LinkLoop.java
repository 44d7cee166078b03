// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.link.LinkState.Phase;
import io.deimos.remote.engine.net.DirectSocket;
import io.deimos.remote.engine.task.SerialTask;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The event loop's side of a link: sole owner of its connection, and of where it is in its life.
 *
 * <p><b>Run.</b> All of it is one {@link SerialTask}, which the loop runs: first what has happened
 * ({@link #events}), then one batch of what waits in the {@link Outbox} ({@link #batch}). A loop
 * that has died runs nothing; whoever is told so runs the events in its place, and the connection
 * is given up.
 *
 * <p><b>Events.</b> Reports of connections, the end of a pause and the end of the link come in as
 * events, in the order in which they happened. A late report, of a connection that is not the
 * present one, changes nothing.
 */
final class LinkLoop implements Connection.Listener {
  /** The buffer of what waits behind other bytes may be this many times as long. */
  private static final int MAX_WASTE = 4;

  private final LinkWorld world;
  private final Outbox outbox;
  private final LinkCounts counts;
  private final List<LinkListener> listeners;
  private final OutboundLink.Owner owner;

  final SerialTask task = new SerialTask(this::submit);
  final Runnable run = this::run;
  final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
  private volatile EventLoop loop;

  private final List<Chunk> batch = new ArrayList<>();
  private final List<Runnable> ready = new ArrayList<>();
  private LinkState state;
  private @Nullable Connection connection;

  LinkLoop(
      LinkWorld world,
      Outbox outbox,
      LinkCounts counts,
      List<LinkListener> listeners,
      OutboundLink.Owner owner) {
    this.world = world;
    this.outbox = outbox;
    this.counts = counts;
    this.listeners = listeners;
    this.owner = owner;
    loop = world.firstLoop();
    state = LinkState.initial(world.nanoTime());
  }

  EventLoop loop() {
    return loop;
  }

  /** Has the loop look after what waits. */
  void wake() {
    task.wake();
  }

  /** On the loop: looks after what waits at once, if that is not about to happen anyway. */
  void runNow() {
    if (task.tryClaim()) {
      run();
    }
  }

  private void submit() {
    while (true) {
      EventLoop asked = loop;
      try {
        asked.execute(run);
        return;
      } catch (RejectedExecutionException e) {
        events();
        if (loop == asked) {
          lost(TcpFailure.of(e));
          if (task.tryRelease()) {
            return;
          }
        }
      }
    }
  }

  private void run() {
    try {
      events();
      batch();
    } finally {
      task.finish();
    }
  }

  /** Does what has happened since the last run. */
  void events() {
    for (Runnable event = events.poll(); event != null; event = events.poll()) {
      event.run();
    }
  }

  private void tell(Runnable event) {
    events.add(event);
    task.wake();
  }

  /** Sends what waits, or begins a connection for it. */
  void batch() {
    switch (state.phase()) {
      case IDLE -> {
        if (outbox.beginIfDue()) {
          connect();
        }
      }
      case OPEN -> write();
      case CLOSED -> {
        if (write()) {
          finish();
        }
      }
      case CONNECTING, PAUSING -> {}
    }
  }

  private void connect() {
    state = state.connecting();
    Connection attempt = world.newConnection(loop, this);
    connection = attempt;
    listeners.forEach(LinkListener::connecting);
    attempt.start();
  }

  /** Writes all that waits; false if that is not possible now, or there is no connection. */
  private boolean write() {
    Connection open = connection;
    if (open == null) {
      return false;
    }
    long before = outbox.take(batch, ready);
    if (!batch.isEmpty()) {
      for (Chunk chunk : batch) {
        ByteBuf bytes = before > 0 ? fitting(chunk.buffer) : chunk.buffer;
        open.write(bytes, future -> written(chunk, future.isSuccess()));
      }
      counts.flushed(batch);
      batch.clear();
      open.flush();
    }
    if (!ready.isEmpty()) {
      List<Runnable> woken = List.copyOf(ready);
      ready.clear();
      woken.forEach(Runnable::run);
    }
    return before != Outbox.NOT_NOW;
  }

  /** Waiting frames must not take much more memory than is counted for them. */
  private ByteBuf fitting(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    if (bytes > buffer.capacity() / MAX_WASTE) {
      return buffer;
    }
    ByteBuf fitting = world.buffers().directBuffer(bytes).writeBytes(buffer);
    buffer.release();
    return fitting;
  }

  private void written(Chunk chunk, boolean well) {
    counts.written(chunk, well);
    outbox.written(chunk).forEach(Runnable::run);
  }

  /** The last of a link that was closed has been written. */
  private void finish() {
    Connection last = connection;
    if (last != null) {
      connection = null;
      listeners.forEach(LinkListener::ended);
      last.finish();
    }
  }

  @Override
  public void opened(Connection which) {
    tell(
        () -> {
          if (which != connection) {
            which.close();
            return;
          }
          state = state.opened();
          outbox.opened();
          listeners.forEach(listener -> listener.opened(which));
          outbox.takeReady().forEach(Runnable::run);
        });
  }

  @Override
  public void headerWritten(Connection which, DirectSocket socket) {
    tell(
        () -> {
          if (which == connection) {
            outbox.lend(which, socket);
          }
        });
  }

  @Override
  public void received(Connection which, Throwable complaint) {
    tell(
        () -> {
          if (which == connection && state.phase() != Phase.CLOSED) {
            leave(state.closed());
            owner.ended(complaint); // such a connection must not be followed by another
          }
        });
  }

  @Override
  public void lost(Connection which, @Nullable Throwable reason) {
    tell(
        () -> {
          if (which == connection) {
            lost(reason);
          }
        });
  }

  /** The connection, or the attempt at one, is over. */
  private void lost(@Nullable Throwable reason) {
    if (!state.isAlive()) {
      if (connection != null) { // the last was still to be sent
        leave(state);
      }
      return;
    }
    leave(state.lost(world.nanoTime(), world.maxRestarts()));
    listeners.forEach(listener -> listener.lost(reason));
    if (state.phase() == Phase.CLOSED) {
      owner.ended(reason);
      return;
    }
    Duration pause = Duration.ofNanos(state.pauseNanos(world.minBackoffNanos(), world.noise()));
    if (!world.later(pause, () -> tell(this::pauseOver))) {
      listeners.forEach(LinkListener::noReconnect);
    }
  }

  /** The connection is given up, with all that waits for it. */
  private void leave(LinkState next) {
    boolean wasOpen = state.phase() == Phase.OPEN;
    boolean ends = connection != null && state.phase() != Phase.CLOSED;
    state = next;
    connection = null;
    counts.dropped(outbox.leave(next.phase()));
    if (ends) {
      listeners.forEach(listener -> listener.over(wasOpen));
    }
    if (next.phase() == Phase.CLOSED) {
      listeners.forEach(LinkListener::ended);
      outbox.takeReady().forEach(Runnable::run);
    }
  }

  private void pauseOver() {
    if (state.phase() == Phase.PAUSING) {
      state = state.pauseOver(world.nanoTime(), world.minBackoffNanos());
      loop = world.nextLoop(loop);
      outbox.pauseOver();
      outbox.takeReady().forEach(Runnable::run);
    }
  }

  /**
   * Ends the link for good, after {@link Outbox#close}.
   *
   * @param sends whether what waits is still to be sent
   */
  void close(boolean sends) {
    tell(
        () -> {
          if (sends && state.phase() == Phase.OPEN) {
            state = state.closed();
            listeners.forEach(listener -> listener.over(true));
          } else if (state.phase() != Phase.CLOSED) {
            Connection unfinished = connection;
            leave(state.closed());
            if (unfinished != null) {
              unfinished.abort();
            }
          }
        });
  }

  @Nullable Connection connection() {
    return connection;
  }

  @Override
  public String toString() {
    return state + ", " + task + ", " + connection;
  }
}
