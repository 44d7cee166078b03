// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.RemoteStats;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The counters of one direction of one stream with one peer. They are added to once per batch, so
 * they are always on; only the clocks are switched by {@link RemoteStats#detailed()}.
 */
final class Counters {
  final LongAdder messages = new LongAdder();
  final LongAdder bytes = new LongAdder();
  final LongAdder flushes = new LongAdder();
  final LongAdder flushNanos = new LongAdder();
  final LongAdder codecNanos = new LongAdder();
  final LongAdder dropped = new LongAdder();
  final LongAdder connections = new LongAdder();
  volatile boolean connected;
  volatile LongSupplier queued = () -> 0;

  private final String system;
  private final String peer;
  private final String direction;
  private final String stream;

  Counters(String system, String peer, String direction, String stream) {
    this.system = system;
    this.peer = peer;
    this.direction = direction;
    this.stream = stream;
  }

  RemoteStats.Peer snapshot() {
    return new RemoteStats.Peer(
        system,
        peer,
        direction,
        stream,
        connected,
        messages.sum(),
        bytes.sum(),
        flushes.sum(),
        flushNanos.sum(),
        codecNanos.sum(),
        queued.getAsLong(),
        dropped.sum(),
        Math.max(0, connections.sum() - 1));
  }
}
