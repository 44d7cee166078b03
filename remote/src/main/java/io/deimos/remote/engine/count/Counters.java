// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.count;

import io.deimos.remote.Batches;
import io.deimos.remote.RemoteStats;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The counters of one direction of one stream with one peer, over all connections there have been.
 * They are added to once per batch, so they are always on; only the clocks are switched by {@link
 * RemoteStats#detailed()}.
 *
 * <p><b>Threads.</b> Any.
 */
public final class Counters {
  public final LongAdder messages = new LongAdder();
  public final LongAdder bytes = new LongAdder();

  /** The counters of an incoming stream; those of an outgoing one are in its profiles. */
  public final LongAdder flushes = new LongAdder();

  public final LongAdder flushNanos = new LongAdder();
  public final LongAdder codecNanos = new LongAdder();
  public final LongAdder dropped = new LongAdder();

  private final LongAdder connections = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();
  private final Set<LongSupplier> queues = new CopyOnWriteArraySet<>();
  private final Set<FlushProfile> profiles = new HashSet<>();
  private final FlushProfile ofEndedLinks = new FlushProfile();
  private final String system;
  private final String peer;
  private final String direction;
  private final String stream;

  public Counters(String system, String peer, String direction, String stream) {
    this.system = system;
    this.peer = peer;
    this.direction = direction;
    this.stream = stream;
  }

  /** A connection is there. */
  public void opened() {
    connections.increment();
    open.incrementAndGet();
  }

  /** A connection that was there is not any more. */
  public void closed() {
    open.decrementAndGet();
  }

  /** Has what waits counted until {@link #removeQueue}. */
  public void addQueue(LongSupplier queued) {
    queues.add(queued);
  }

  public void removeQueue(LongSupplier queued) {
    queues.remove(queued);
  }

  /** The batches of a link, counted until {@link #end}. */
  public FlushProfile newProfile() {
    FlushProfile profile = new FlushProfile();
    synchronized (profiles) {
      profiles.add(profile);
    }
    return profile;
  }

  /** A link will write no more batches; what it has written stays counted. */
  public void end(FlushProfile profile) {
    synchronized (profiles) {
      if (profiles.remove(profile)) {
        ofEndedLinks.add(profile);
      }
    }
  }

  private Batches batches() {
    FlushProfile all = new FlushProfile();
    synchronized (profiles) {
      all.add(ofEndedLinks);
      profiles.forEach(all::add);
    }
    return all.snapshot();
  }

  public RemoteStats.Peer snapshot() {
    Batches batches = direction.equals("out") ? batches() : null;
    return new RemoteStats.Peer(
        system,
        peer,
        direction,
        stream,
        open.get() > 0,
        queues.stream().mapToLong(LongSupplier::getAsLong).sum(),
        new RemoteStats.Counts(
            messages.sum(),
            bytes.sum(),
            batches == null ? flushes.sum() : batches.count(),
            flushNanos.sum(),
            codecNanos.sum(),
            dropped.sum(),
            Math.max(0, connections.sum() - 1)),
        batches);
  }
}
