// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * TLS with the engines of the user's own provider: a new one for each connection, so that rotated
 * keys are met, and its verification of the session before anything is sent or believed.
 */
final class Tls {
  private final @Nullable SSLEngineProvider provider;
  private final TransportEngine engine;

  Tls(TransportEngine engine) {
    this.engine = engine;
    provider = engine.members.sslEngineProvider(engine.transport);
  }

  boolean enabled() {
    return provider != null;
  }

  /** A new engine for an outgoing connection, null without TLS; may wait, as it reads keys. */
  @Nullable SSLEngine clientEngine(String host, int port) {
    return provider == null ? null : provider.createClientSSLEngine(host, port);
  }

  /** Puts TLS into an outgoing connection. */
  void client(ChannelPipeline pipeline, String host, SSLEngine ssl, Verified then) {
    if (provider != null) {
      add(pipeline, ssl, session -> provider.verifyClientSession(host, session), then);
    }
  }

  /** Puts TLS into an accepted connection. */
  void server(ChannelPipeline pipeline, String host, int port, Verified then) {
    if (provider != null) {
      add(
          pipeline,
          provider.createServerSSLEngine(host, port),
          session -> provider.verifyServerSession(host, session),
          then);
    }
  }

  private void add(ChannelPipeline pipeline, SSLEngine ssl, Verify verify, Verified then) {
    SslHandler handler = new SslHandler(ssl, engine.system.dispatchers().internalDispatcher());
    pipeline.addFirst("tls", handler);
    handler
        .handshakeFuture()
        .addListener(
            future -> {
              Throwable failure = future.cause();
              if (failure == null) {
                failure = rejected(verify, ssl.getSession());
              }
              then.verified(failure);
            });
  }

  private static @Nullable Throwable rejected(Verify verify, SSLSession session) {
    try {
      Option<Throwable> refusal = verify.verify(session);
      return refusal.isDefined() ? refusal.get() : null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /** The provider's own verification. */
  private interface Verify {
    Option<Throwable> verify(SSLSession session);
  }

  /** Told on the event loop when the handshake and the verification are over. */
  interface Verified {
    void verified(@Nullable Throwable failure);
  }
}
