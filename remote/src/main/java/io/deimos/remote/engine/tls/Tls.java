// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * TLS with the engines of the user's own provider: a new one for each connection, so that rotated
 * keys are met, and its verification of the session before anything is sent or believed.
 *
 * <p><b>Threads.</b> Certificates are checked and sessions verified on threads of their own; all
 * else happens on the event loop of the connection.
 */
public final class Tls {
  private final @Nullable SSLEngineProvider provider;
  private final TlsThreads threads;

  /**
   * TLS for one actor system.
   *
   * @param maxStrangers checks of accepted connections that may wait
   * @param provider the user's; null without TLS
   */
  public Tls(String system, int maxStrangers, @Nullable SSLEngineProvider provider) {
    threads = new TlsThreads(system, maxStrangers);
    this.provider = provider;
  }

  public boolean enabled() {
    return provider != null;
  }

  /** A new engine for an outgoing connection, null without TLS; it may take long to read keys. */
  public CompletionStage<@Nullable SSLEngine> clientEngine(String host, int port) {
    SSLEngineProvider known = provider;
    if (known == null) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      return CompletableFuture.supplyAsync(
          () -> known.createClientSSLEngine(host, port), threads.outgoing());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Puts TLS into an outgoing connection. */
  public void client(ChannelPipeline pipeline, String host, SSLEngine ssl, Verified then) {
    if (provider != null) {
      add(
          pipeline,
          ssl,
          session -> provider.verifyClientSession(host, session),
          threads.outgoing(),
          then);
    }
  }

  /** Puts TLS into an accepted connection. */
  public void server(ChannelPipeline pipeline, String host, int port, Verified then) {
    if (provider != null) {
      add(
          pipeline,
          provider.createServerSSLEngine(host, port),
          session -> provider.verifyServerSession(host, session),
          threads.accepted(),
          then);
    }
  }

  /** Ends the threads. */
  public void close() {
    threads.close();
  }

  private static void add(
      ChannelPipeline pipeline, SSLEngine ssl, Verify verify, Executor threads, Verified then) {
    Channel channel = pipeline.channel();
    Executor checks = task -> threads.execute(() -> runIfOpen(channel, task));
    SslHandler handler = new SslHandler(ssl, checks);
    pipeline.addFirst("tls", handler);
    handler
        .handshakeFuture()
        .addListener(
            future -> {
              if (future.cause() != null) {
                then.verified(future.cause());
                return;
              }
              HeldReads held = new HeldReads();
              pipeline.addAfter("tls", null, held);
              Consumer<@Nullable Throwable> verified =
                  refusal -> {
                    if (channel.isActive()) { // otherwise its end has been reported
                      then.verified(refusal);
                      if (pipeline.context(held) != null) { // it goes with the connection, too
                        pipeline.remove(held);
                      }
                    }
                  };
              try {
                checks.execute(() -> verify(verify, ssl.getSession(), channel, verified));
              } catch (RejectedExecutionException e) {
                verified.accept(e);
              }
            });
  }

  /** A peer that has gone by now must not keep others waiting. */
  private static void runIfOpen(Channel channel, Runnable task) {
    if (channel.isOpen()) {
      task.run();
    }
  }

  private static void verify(
      Verify verify, SSLSession session, Channel channel, Consumer<@Nullable Throwable> verified) {
    Throwable refusal = rejected(verify, session);
    try {
      channel.eventLoop().execute(() -> verified.accept(refusal));
    } catch (RejectedExecutionException e) {
      var unused = channel.close(); // the event loop has ended
    }
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
  public interface Verified {
    void verified(@Nullable Throwable failure);
  }
}
