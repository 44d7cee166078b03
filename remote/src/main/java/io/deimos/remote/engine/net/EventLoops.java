// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.net;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.event.LoggingAdapter;
import org.jspecify.annotations.Nullable;

/**
 * The threads that move bytes: one for the control streams, so that these never wait behind
 * ordinary messages, one for TLS handshakes of accepted connections, if there are any, and some for
 * all others. A thread that died is replaced at its next use.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the handlers
public final class EventLoops {
  private static final long QUIET_MILLIS = 0;
  private static final long SHUTDOWN_MILLIS = 1000;

  private final String name;
  private final int dataThreads;
  private final LoggingAdapter log;
  private final SocketIo io;
  private EventLoopGroup control;
  private EventLoopGroup data;
  private @Nullable EventLoopGroup arrivals;
  private boolean closed;

  public EventLoops(String system, int dataThreads, SocketIo io, LoggingAdapter log) {
    this.io = io;
    this.name = system + "-deimos-remote";
    this.dataThreads = dataThreads;
    this.log = log;
    control = newGroup("control", 1);
    data = newGroup("data", dataThreads);
  }

  private EventLoopGroup newGroup(String kind, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name + "-" + kind, true), io.handlers());
  }

  public synchronized EventLoop control() {
    EventLoop loop = control.next();
    if (loop.isShuttingDown() && !closed) {
      log.warning("The event loop of remote control connections had stopped; a new one takes over");
      control = newGroup("control", 1);
      loop = control.next();
    }
    return loop;
  }

  /** Where accepted connections shake hands; its thread is there from the first one on. */
  public synchronized EventLoop arrivals() {
    EventLoopGroup known = arrivals;
    if (known == null || (known.isShuttingDown() && !closed)) {
      known = newGroup("arrivals", 1);
      arrivals = known;
    }
    return known.next();
  }

  public synchronized EventLoop data() {
    EventLoop loop = data.next();
    if (loop.isShuttingDown() && !closed) {
      log.warning("An event loop of remote connections had stopped; new ones take over");
      EventLoopGroup stopped = data;
      data = newGroup("data", dataThreads);
      stopped.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
      loop = data.next();
    }
    return loop;
  }

  public synchronized void close(Runnable whenClosed) {
    closed = true;
    EventLoopGroup handshakes = arrivals;
    if (handshakes != null) {
      handshakes.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
    }
    control.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
    data.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)
        .addListener(done -> control.terminationFuture().addListener(also -> whenClosed.run()));
  }
}
