// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.decode;

import io.deimos.remote.engine.compress.CompressionGate;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.in.InboundHandshakes;
import java.time.Duration;
import org.apache.pekko.remote.artery.ArterySettings;

/** The state that the inbound lanes of a transport share. */
public final class InboundLanes {
  final TransportEngine engine;
  final InboundHandshakes handshakes;
  final CompressionGate compressions;
  final GuardedDispatcher dispatcher;
  final boolean propagateHarmless;
  final ConnectionOrder order = new ConnectionOrder();
  private volatile boolean closed;
  final InstrumentPool instruments;

  public InboundLanes(TransportEngine engine, InboundHandshakes handshakes) {
    this.engine = engine;
    this.handshakes = handshakes;
    compressions = new CompressionGate(engine);
    instruments = new InstrumentPool(engine::newInstruments);
    dispatcher = new GuardedDispatcher(engine);
    propagateHarmless = propagateHarmless(engine.artery());
    compressions.start();
    // as Pekko's streams, which end when the transport pulls its kill switch
    engine.watch(
        engine.transport.materializer(),
        engine.transport.killSwitch(),
        null,
        failure -> closed = true);
  }

  /** A setting that older versions of Pekko do not have; they behave as if it were on. */
  private static boolean propagateHarmless(ArterySettings settings) {
    try {
      return (Boolean)
          ArterySettings.class.getMethod("PropagateHarmlessQuarantineEvents").invoke(settings);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Makes the tables reachable for the control stream. */
  public void attach() {
    engine.transport.setInboundCompressionAccess(compressions);
  }

  /** Runs a task after a pause, on the dispatcher of Pekko's own tasks. */
  void later(Duration pause, Runnable task) {
    var dispatcher = engine.system.dispatchers().internalDispatcher();
    engine.system.scheduler().scheduleOnce(pause, task, dispatcher);
  }

  boolean isClosed() {
    return closed;
  }

  public void close() {
    closed = true;
    compressions.stop();
  }
}
