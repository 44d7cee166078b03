// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.link;

import io.deimos.remote.engine.core.TransportEngine;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.MarkerLoggingAdapter;
import org.apache.pekko.remote.RemoteLogMarker;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.OutboundContext;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Says of a link's connections what Artery's own TCP says of its, with the same markers and levels.
 *
 * <p><b>Threads.</b> One at a time, in a happens-before order.
 */
final class LinkLog implements LinkListener {
  private static final String FAILED = "[{}] Upstream failed, cause: {}: {}";

  private final ArteryTransport transport;
  private final MarkerLoggingAdapter log;
  private final OutboundContext context;
  private final String streamName;
  private boolean warned;

  LinkLog(TransportEngine engine, OutboundContext context, int streamId) {
    this.context = context;
    transport = engine.transport;
    log = engine.log;
    streamName = ArteryTransport.streamName(streamId);
  }

  @Override
  public void connecting() {
    if (log.isDebugEnabled()) {
      log.debug(
          RemoteLogMarker.connect(context.remoteAddress(), uid()),
          "Outbound connection opened to [{}]",
          context.remoteAddress());
    }
    transport.flightRecorder().tcpOutboundConnected(context.remoteAddress(), streamName);
  }

  private Option<Object> uid() {
    return context.associationState().uniqueRemoteAddress().map(address -> (Object) address.uid());
  }

  @Override
  public void over(boolean wasOpen) {
    if (log.isDebugEnabled()) {
      log.debug(
          RemoteLogMarker.disconnected(context.remoteAddress(), uid()),
          "Outbound connection closed to [{}]",
          context.remoteAddress());
    }
  }

  /** A warning for the first failure; those that follow it are many, and of the same kind. */
  @Override
  public void lost(@Nullable Throwable reason) {
    String name =
        "outbound connection to [" + context.remoteAddress() + "], " + streamName + " stream";
    if (reason == null) {
      log.debug("[{}] Upstream finished.", name);
    } else if (!warned && !transport.isShutdown()) {
      warned = true;
      log.warning(FAILED, name, Logging.simpleName(reason.getClass()), reason.getMessage());
    } else {
      log.debug(FAILED, name, Logging.simpleName(reason.getClass()), reason.getMessage());
    }
  }

  @Override
  public void noReconnect() {
    log.debug("No reconnect to [{}], as the system is stopping", context.remoteAddress());
  }
}
