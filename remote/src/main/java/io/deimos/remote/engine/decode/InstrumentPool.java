// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.apache.pekko.remote.artery.RemoteInstruments;

/**
 * The remote instruments of the ordinary inbound stream. An instrument need not be safe for several
 * threads, so each decoder that runs has its own; when its connection ends the next one takes it
 * over. So there are as many as ever ran at the same time, however often peers connect.
 *
 * <p><b>Threads.</b> Any.
 */
final class InstrumentPool {
  private final Supplier<RemoteInstruments> maker;
  private final Queue<RemoteInstruments> free = new ConcurrentLinkedQueue<>();

  InstrumentPool(Supplier<RemoteInstruments> maker) {
    this.maker = maker;
  }

  RemoteInstruments take() {
    RemoteInstruments used = free.poll();
    return used == null ? maker.get() : used;
  }

  /** Gives back what {@link #take} gave; the caller is done with it. */
  void give(RemoteInstruments instruments) {
    free.add(instruments);
  }
}
