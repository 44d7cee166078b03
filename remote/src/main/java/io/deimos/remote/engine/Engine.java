// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.deimos.remote.engine.core.TransportEngine;
import io.deimos.remote.engine.pekko.LinkCheck;
import io.deimos.remote.engine.pekko.PekkoMembers;
import io.deimos.remote.engine.settings.RemoteSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.BiFunction;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.EnvelopeBufferPool;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.tcp.ArteryTcpTransport;
import org.jspecify.annotations.Nullable;

/**
 * Where calls from woven Pekko methods arrive: finds the actor system's transport, or answers
 * {@code null}, and Pekko's own method body runs.
 *
 * <p>Made by name, from outside this class loader; hence public, and a function of types that both
 * sides know.
 */
public final class Engine implements BiFunction<String, Object[], @Nullable Object> {
  private static final Object NOT_OURS = new Object();

  private final Map<ArteryTcpTransport, Object> transports = new WeakHashMap<>();
  private final @Nullable PekkoMembers members;
  private final String refusal;

  /** Checks this Pekko against what the engine needs. */
  public Engine() {
    String found = "";
    PekkoMembers usable = null;
    try {
      Set<String> missing = LinkCheck.missing(Engine.class);
      if (missing.isEmpty()) {
        usable = new PekkoMembers();
      } else {
        found = LinkCheck.describe(missing);
      }
    } catch (NoSuchFieldException | NoSuchMethodException e) {
      found = "the private member " + e.getMessage();
    } catch (ReflectiveOperationException | IOException | LinkageError | RuntimeException e) {
      found = "something (" + e + ")";
    }
    members = usable;
    refusal = found;
  }

  @Override
  public @Nullable Object apply(String method, @Nullable Object[] selfAndArguments) {
    Object self = selfAndArguments[0];
    Object[] arguments = (Object[]) selfAndArguments[1];
    if (self instanceof ArteryTcpTransport transport && arguments != null) {
      SystemTransport system = systemOf(transport, method.equals("bindInboundStreams"));
      return system == null ? null : route(system, method, arguments);
    }
    if (self instanceof Association association
        && association.transport() instanceof ArteryTcpTransport transport) {
      SystemTransport system = systemOf(transport, false);
      return system == null ? null : system.runOutboundOrdinary(association) ? Boolean.TRUE : null;
    }
    return null;
  }

  private static @Nullable Object route(SystemTransport system, String method, Object[] arguments) {
    return switch (method) {
      case "bindInboundStreams" -> system.bind();
      case "runInboundStreams" -> system.runInbound() ? Boolean.TRUE : null;
      case "outboundTransportSink" ->
          system.outboundSink(
              (OutboundContext) arguments[0],
              (Integer) arguments[1],
              (EnvelopeBufferPool) arguments[2]);
      case "createDeserializer" -> system.deserialiser((EnvelopeBufferPool) arguments[0]);
      case "shutdownTransport" -> system.shutdown();
      default -> null;
    };
  }

  /** The system's transport; one is made when the transport starts, if its settings ask for it. */
  private @Nullable SystemTransport systemOf(ArteryTcpTransport transport, boolean starting) {
    synchronized (transports) {
      Object known = transports.get(transport);
      if (known == null && starting) {
        known = start(transport);
        transports.put(transport, known);
      }
      return known instanceof SystemTransport system ? system : null;
    }
  }

  private Object start(ArteryTcpTransport transport) {
    LoggingAdapter log = transport.log();
    RemoteSettings settings =
        RemoteSettings.of(
            transport.system().settings().config(), System.getenv(), System.getProperties());
    if (!settings.enabled()) {
      return NOT_OURS;
    }
    settings.warnings().forEach(log::warning);
    if (!settings.byteMover()) {
      log.info("deimos.remote: byte-mover = off, so Artery runs as it is");
      return NOT_OURS;
    }
    if (members == null) {
      log.warning(
          "deimos.remote is off: this Pekko or its Scala lacks {}. Artery runs as it is.", refusal);
      return NOT_OURS;
    }
    TransportEngine engine = new TransportEngine(transport, members, settings);
    return new SystemTransport(engine, () -> forget(transport));
  }

  /** Calls after the end find nobody here, and Pekko's own methods say that it is over. */
  private void forget(ArteryTcpTransport transport) {
    synchronized (transports) {
      transports.remove(transport);
    }
  }
}
