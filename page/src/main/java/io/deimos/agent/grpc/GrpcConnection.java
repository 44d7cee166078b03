// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import io.deimos.agent.grpc.FrameWatch.Broken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http2.H2ConnectionException;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.frame.DefaultFrameFactory;
import org.apache.hc.core5.http2.impl.nio.ServerH2StreamMultiplexer;

/**
 * One client's connection, from behind its preface on. The owner of the channel calls {@link
 * #ready} when there may be something to read or room to write, and {@link #look} when {@link
 * #deadlineNanos} has come; all on one thread.
 *
 * <p><b>Full.</b> Input is read in parts of {@value #TURN_BYTES} bytes, and not at all while the
 * client does not read what is sent to it. {@link GrpcBounds} and {@link FrameWatch} have the rest.
 * The memory of messages is the calls' own.
 */
public final class GrpcConnection {
  /** The first bytes of a client that speaks HTTP/2 and nothing else. */
  public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final int TURN_BYTES = 128 * 1024;
  private static final int MAX_WRITES = 32;
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int FRAME_BYTES = 16 * 1024;
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int TABLE_BYTES = 4 * 1024;
  private static final int MAX_CONTINUATIONS = 4;

  private final LoopSession session;
  private final FrameWatch watch;
  private final GrpcService service;
  private final GrpcBounds bounds;
  private final ServerH2StreamMultiplexer streams;
  private final Set<CallStream> calls = new LinkedHashSet<>();
  private final long beganNanos = System.nanoTime();
  private long frameNanos = beganNanos;
  private long framed;
  private long blockedNanos;
  private long sentNanos = beganNanos;
  private boolean wasBlocked;
  private boolean leaving;

  /**
   * @param channel does not block
   * @param before what has come behind the preface already
   */
  public GrpcConnection(
      ByteChannel channel, ByteBuffer before, GrpcService service, GrpcBounds bounds) {
    this.session = new LoopSession(channel, before);
    this.watch = new FrameWatch(session::received);
    this.service = service;
    this.bounds = bounds;
    this.streams =
        new ServerH2StreamMultiplexer(
            session,
            DefaultFrameFactory.INSTANCE,
            new AsTheyAre(),
            (request, context) -> new CallStream(service, bounds, new Open()),
            CharCodingConfig.DEFAULT,
            H2Config.custom()
                .setMaxConcurrentStreams(bounds.streams())
                .setInitialWindowSize(WINDOW_BYTES)
                .setMaxFrameSize(FRAME_BYTES)
                .setMaxHeaderListSize(HEADER_BYTES)
                .setHeaderTableSize(TABLE_BYTES)
                .setMaxContinuations(MAX_CONTINUATIONS)
                .setPushEnabled(false)
                .build(),
            watch);
  }

  /** Says what is ours to say first, and reads what has come with the preface. */
  public void begin() {
    guarded(streams::onConnect);
    ready();
  }

  /** Reads what is there, within bounds, and writes what the channel takes. */
  public void ready() {
    guarded(
        () -> {
          session.allow(TURN_BYTES);
          if (!session.isBlocked()) {
            streams.onInput(null);
          }
          write();
        });
    long now = System.nanoTime();
    if (watch.framed() != framed) {
      framed = watch.framed();
      frameNanos = now;
    }
    if (session.isBlocked() != wasBlocked) {
      wasBlocked = session.isBlocked();
      blockedNanos = now;
    }
  }

  private void write() throws IOException, HttpException {
    // A blocked write is tried once: the channel is ready, or it will say when it is.
    int times = 0;
    do {
      streams.onOutput();
    } while (session.isOpen()
        && session.wantsToWrite()
        && !session.isBlocked()
        && ++times < MAX_WRITES);
    String why = watch.tooMuch();
    if (why != null) {
      throw new Broken(why);
    }
  }

  private void guarded(Step step) {
    if (!session.isOpen()) {
      return;
    }
    try {
      step.take();
    } catch (Broken e) {
      service.refused(e.said());
      streams.onException(new H2ConnectionException(H2Error.ENHANCE_YOUR_CALM, e.said()));
      session.close();
    } catch (IOException | HttpException | RuntimeException e) {
      if (e instanceof H2ConnectionException || e instanceof RuntimeException) {
        service.refused("what is no HTTP/2: " + e.getMessage());
      }
      streams.onException(e);
      session.close();
    }
  }

  /** Whether there is something to do although nothing comes. */
  public boolean hasMore() {
    return session.isOpen() && !session.isBlocked() && session.hasMore();
  }

  public boolean wantsToRead() {
    return !session.isBlocked() && !session.isAtItsEnd();
  }

  public boolean wantsToWrite() {
    return session.isBlocked() || session.wantsToWrite();
  }

  /** Whether it is over, and the channel to be closed. */
  public boolean isOver() {
    return !session.isOpen();
  }

  /** Whether nothing is going on. */
  public boolean isIdle() {
    return calls.isEmpty() && !watch.isPartial();
  }

  /** When the last call or frame was, on the clock of {@code System.nanoTime}. */
  public long lastNanos() {
    return frameNanos;
  }

  /** When to {@link #look}, on the clock of {@code System.nanoTime}. */
  public long deadlineNanos() {
    long now = System.nanoTime();
    long least =
        !watch.hasBegun() || leaving
            ? sentNanos + bounds.read().toNanos() - now
            : frameNanos + bounds.idle().toNanos() - now;
    if (watch.isPartial()) {
      least = Math.min(least, frameNanos + bounds.read().toNanos() - now);
    }
    if (session.isBlocked()) {
      least = Math.min(least, blockedNanos + bounds.call().toNanos() - now);
    }
    for (CallStream call : calls) {
      least = Math.min(least, call.deadlineNanos() - now);
    }
    return now + least;
  }

  /** Ends what has taken too long. */
  public void look() {
    long now = System.nanoTime();
    if (!watch.hasBegun() || leaving) {
      if (now - sentNanos >= bounds.read().toNanos()) {
        end(
            leaving
                ? ""
                : "a preface and no settings within " + inSeconds(bounds.read().toNanos()));
      }
    }
    if (watch.isPartial() && now - frameNanos >= bounds.read().toNanos()) {
      end("a frame that is not whole within " + inSeconds(bounds.read().toNanos()));
    }
    if (session.isBlocked() && now - blockedNanos >= bounds.call().toNanos()) {
      end("answers that are not read within " + inSeconds(bounds.call().toNanos()));
    }
    for (CallStream call : new ArrayList<>(calls)) {
      if (call.deadlineNanos() - now <= 0 && session.isOpen() && call.overdue()) {
        end("a call that neither ends nor reads its answer");
      }
    }
    if (calls.isEmpty() && now - frameNanos >= bounds.idle().toNanos()) {
      leave();
    }
    guarded(this::write);
  }

  private static String inSeconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }

  private void end(String why) {
    if (session.isOpen()) {
      if (!why.isEmpty()) {
        service.refused(why);
      }
      streams.onException(new H2ConnectionException(H2Error.NO_ERROR, why));
      session.close();
    }
  }

  /** Tells the client to take another connection, and ends when its calls are over. */
  public void leave() {
    if (!leaving) {
      leaving = true;
      sentNanos = System.nanoTime();
      guarded(
          () -> {
            streams.close();
            write();
          });
    }
  }

  /** Nobody is there any more. */
  public void close() {
    session.close();
    streams.onDisconnect();
    new ArrayList<>(calls).forEach(CallStream::releaseResources);
  }

  private interface Step {
    void take() throws IOException, HttpException;
  }

  private final class Open implements CallStream.CallsOpen {
    @Override
    public void began(CallStream call) {
      calls.add(call);
    }

    @Override
    public void ended(CallStream call) {
      calls.remove(call);
    }
  }

  /** Adds nothing to requests and responses. */
  private static final class AsTheyAre implements HttpProcessor {
    @Override
    public void process(HttpRequest request, EntityDetails entity, HttpContext context) {}

    @Override
    public void process(HttpResponse response, EntityDetails entity, HttpContext context) {}
  }
}
