// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.core.TransportEngine;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.apache.pekko.remote.artery.OutboundEnvelope$;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeReq;
import org.apache.pekko.remote.artery.OutboundHandshake.HandshakeTimeoutException;
import org.jspecify.annotations.Nullable;
import scala.concurrent.duration.FiniteDuration;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * When a lane must send a handshake request: first of all; again and again until the peer has
 * answered; and before a message, if the last one is a while ago, so that a peer that was restarted
 * is found out.
 *
 * <p><b>Threads.</b> {@link #request} and {@link #requestAgain} belong to the lane; timers and the
 * association set flags and wake it.
 */
final class OutboundHandshakes {
  private final TransportEngine engine;
  private final Association association;
  private final Runnable wake;
  private final Consumer<@Nullable Throwable> end;
  private final long injectNanos;
  private final Listener listener = new Listener();

  private volatile boolean complete;
  private volatile boolean requestDue = true;
  private volatile @Nullable Cancellable retry;
  private volatile @Nullable Cancellable timeout;
  private long lastRequestNanos;

  OutboundHandshakes(
      TransportEngine engine,
      Association association,
      Runnable wake,
      Consumer<@Nullable Throwable> end) {
    this.engine = engine;
    this.association = association;
    this.wake = wake;
    this.end = end;
    injectNanos = engine.artery().Advanced().InjectHandshakeInterval().toNanos();
  }

  void start() {
    if (association.associationState().uniqueRemoteAddress().isDefined()) {
      complete = true;
      return;
    }
    ArterySettings.Advanced$ advanced = engine.artery().Advanced();
    Duration interval = javaDuration(advanced.HandshakeRetryInterval());
    var scheduler = engine.system.scheduler();
    var executor = engine.system.dispatchers().internalDispatcher();
    retry =
        scheduler.scheduleWithFixedDelay(
            interval,
            interval,
            () -> {
              if (!complete) {
                requestDue = true;
                wake.run();
              }
            },
            executor);
    timeout =
        scheduler.scheduleOnce(
            javaDuration(advanced.HandshakeTimeout()),
            () -> {
              if (!complete) {
                end.accept(
                    new HandshakeTimeoutException(
                        "Handshake with ["
                            + association.remoteAddress()
                            + "] did not complete within "
                            + advanced.HandshakeTimeout().toMillis()
                            + " ms"));
              }
            },
            executor);
    association.associationState().addUniqueRemoteAddressListener(listener);
  }

  private static Duration javaDuration(FiniteDuration duration) {
    return Duration.ofNanos(duration.toNanos());
  }

  void stop() {
    association.associationState().removeUniqueRemoteAddressListener(listener);
    cancelTimers();
  }

  private void cancelTimers() {
    cancel(retry);
    cancel(timeout);
  }

  private static void cancel(@Nullable Cancellable timer) {
    if (timer != null) {
      timer.cancel();
    }
  }

  /** Whether the peer is known, so that messages may be sent. */
  boolean isComplete() {
    return complete;
  }

  /** Whether it is so long since the last request that one belongs before the next message. */
  boolean dueBeforeMessage() {
    return System.nanoTime() - lastRequestNanos >= injectNanos;
  }

  boolean isDue() {
    return requestDue;
  }

  /** A request, to be sent now. */
  OutboundEnvelope request() {
    requestDue = false;
    lastRequestNanos = System.nanoTime();
    association.associationState().lastUsedTimestamp().set(lastRequestNanos);
    return OutboundEnvelope$.MODULE$.apply(
        null, new HandshakeReq(association.localAddress(), association.remoteAddress()), null);
  }

  /** The last request was not sent after all. */
  void requestAgain() {
    requestDue = true;
  }

  private final class Listener extends AbstractFunction1<UniqueAddress, BoxedUnit> {
    @Override
    public BoxedUnit apply(UniqueAddress peer) {
      complete = true;
      cancelTimers();
      wake.run();
      return BoxedUnit.UNIT;
    }
  }
}
