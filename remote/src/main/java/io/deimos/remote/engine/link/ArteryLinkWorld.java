// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.core.TransportEngine;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.Address;
import org.apache.pekko.remote.artery.ArteryTransport;

/** The network and Pekko's scheduler, for a link of one stream to one peer. */
record ArteryLinkWorld(TransportEngine engine, Address peer, int streamId) implements LinkWorld {
  private static final int ORDINARY_RESTARTS = 3;
  private static final double RANDOM_FACTOR = 0.1;

  @Override
  public ByteBufAllocator buffers() {
    return engine.buffers;
  }

  @Override
  public int maxRestarts() {
    return isControl() ? Integer.MAX_VALUE : ORDINARY_RESTARTS;
  }

  @Override
  public long minBackoffNanos() {
    return engine.artery().Advanced().OutboundRestartBackoff().toNanos();
  }

  private boolean isControl() {
    return streamId == ArteryTransport.ControlStreamId();
  }

  @Override
  public Connection newConnection(EventLoop loop, Connection.Listener listener) {
    return new Connector(engine, peer, streamId, loop, listener);
  }

  @Override
  public EventLoop firstLoop() {
    return isControl() ? engine.loops.control() : engine.loops.data();
  }

  @Override
  public EventLoop nextLoop(EventLoop last) {
    return engine.isClosed() ? last : firstLoop();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public double noise() {
    return ThreadLocalRandom.current().nextDouble() * RANDOM_FACTOR;
  }

  @Override
  public boolean later(Duration pause, Runnable task) {
    return engine.later(pause, task);
  }
}
