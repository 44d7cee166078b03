// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import com.typesafe.config.ConfigFactory;
import io.deimos.remote.RemoteStats;
import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.decode.InboundDeserialiser;
import io.deimos.remote.engine.out.OutboundLanes;
import io.deimos.remote.engine.out.OutboundSink;
import io.deimos.remote.engine.pekko.Scala;
import io.deimos.remote.engine.settings.UnusedSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.stream.scaladsl.Flow;
import org.apache.pekko.stream.scaladsl.Sink;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.concurrent.Future;

/** One actor system's transport: its beginning and end, and what takes the place of Artery's. */
final class SystemTransport {
  private static final int CLOSE_SECONDS = 1;
  private static final int SHUTDOWN_SECONDS = 3;

  private final TransportEngine engine;
  private final Runnable forget;
  private final Inbound inbound;

  SystemTransport(TransportEngine engine, Runnable forget) {
    this.engine = engine;
    this.forget = forget;
    inbound = new Inbound(engine);
  }

  /** Binds, or answers {@code null} so that Pekko tries and says itself what is wrong. */
  @Nullable Tuple2<Object, Object> bind() {
    try {
      int boundPort = inbound.bind();
      RemoteStats.add(engine);
      if (engine.settings.clocks()) {
        RemoteStats.detailed(true);
      }
      int canonical = engine.artery().Canonical().Port();
      engine.log.info(
          "deimos.remote moves the bytes of Artery {}: byte mover on {}, {} data thread(s); direct"
              + " lane outbound {}, inbound {}",
          new Object[] {
            engine.artery().Transport(),
            engine.io.name(),
            engine.settings.loops().threads(),
            onOff(engine.outboundLane),
            onOff(engine.inboundLane)
          });
      sayUnused();
      return new Tuple2<>(canonical == 0 ? boundPort : canonical, boundPort);
    } catch (Exception e) {
      engine.log.warning("deimos.remote is off, as it could not bind: {}. Artery tries itself.", e);
      engine.close();
      engine.tls.close();
      engine.loops.close(forget);
      return null;
    }
  }

  private void sayUnused() {
    List<String> unused =
        UnusedSettings.of(
            engine.system.settings().config(),
            ConfigFactory.defaultReference(engine.system.dynamicAccess().classLoader()));
    if (!unused.isEmpty()) {
      engine.log.info(
          "deimos.remote has sockets of its own, for which these settings have no effect: {}",
          String.join(", ", unused));
    }
  }

  private static String onOff(boolean on) {
    return on ? "on" : "off";
  }

  boolean runInbound() {
    if (engine.isClosed()) {
      return false;
    }
    inbound.run();
    return true;
  }

  @Nullable Sink<EnvelopeBuffer, Future<Done>> outboundSink(
      OutboundContext context, int streamId, EnvelopeBufferPool pool) {
    if (engine.isClosed()) {
      return null;
    }
    return Sink.fromGraph(new OutboundSink(engine, context, streamId, pool));
  }

  /** Reads the messages of Pekko's own streams. */
  @Nullable Flow<InboundEnvelope, InboundEnvelope, NotUsed> deserialiser(EnvelopeBufferPool pool) {
    return engine.isClosed() ? null : Flow.fromGraph(new InboundDeserialiser(engine, pool));
  }

  boolean runOutboundOrdinary(Association association) {
    if (engine.isClosed() || !engine.outboundLane || engine.transport.isShutdown()) {
      return false;
    }
    OutboundLanes.start(engine, association);
    return true;
  }

  @Nullable Future<Done> shutdown() {
    if (engine.isClosed()) {
      return null;
    }
    engine.close();
    RemoteStats.remove(engine);
    CompletableFuture<Done> done = new CompletableFuture<>();
    engine.members.inboundKillSwitch(engine.transport).shutdown();
    var unused =
        inbound
            .close()
            .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS) // an event loop may have died
            .thenRun(
                () -> {
                  engine.tls.close();
                  engine.loops.close(() -> stopped(done));
                });
    // the system must not hang if an event loop does
    return Scala.future(
        done.completeOnTimeout(Done.getInstance(), SHUTDOWN_SECONDS, TimeUnit.SECONDS));
  }

  private void stopped(CompletableFuture<Done> done) {
    engine.transport.flightRecorder().tcpInboundUnbound(engine.transport.localAddress());
    engine.transport.flightRecorder().transportStopped();
    forget.run();
    done.complete(Done.getInstance());
  }
}
