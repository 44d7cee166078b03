// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One client's connection, in one {@link Phase} after the other. Belongs to the loop's thread. */
final class Connection {
  static final int MAX_SKIPPED_BYTES = 64 * 1024;

  private static final int SOME_BYTES = 1024;

  private final HttpLoop loop;
  private final ClientChannel channel;
  private final SelectionKey key;
  private Phase phase;
  private long deadlineNanos;

  /** Since when it has been the client's turn to send, or to read more. */
  private long movedNanos = System.nanoTime();

  private long skippedBytes;
  private @Nullable Http2 http2;

  Connection(HttpLoop loop, ClientChannel channel, Selector selector) throws IOException {
    this.loop = loop;
    this.channel = channel;
    this.phase = new Reading(this);
    this.deadlineNanos = deadline(loop.bounds().read());
    this.key = channel.socket().register(selector, SelectionKey.OP_READ, this);
  }

  static long deadline(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  HttpLoop loop() {
    return loop;
  }

  ClientChannel channel() {
    return channel;
  }

  boolean isAt(Phase asked) {
    return phase == asked;
  }

  boolean isClientsTurn() {
    return phase.isClientsTurn();
  }

  boolean isLingering() {
    return phase instanceof Lingering;
  }

  long movedNanos() {
    return movedNanos;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Null while it speaks HTTP/1.1. */
  @Nullable Http2 http2() {
    return http2;
  }

  void begin(Http2 spoken) {
    http2 = spoken;
    phase = spoken;
    spoken.begin();
  }

  void enter(Phase next, int interest, long deadline) {
    phase = next;
    deadlineNanos = deadline;
    key.interestOps(interest);
  }

  void postpone(long deadline) {
    deadlineNanos = deadline;
  }

  /** The client's turn begins, or it makes use of it. */
  void moved() {
    movedNanos = System.nanoTime();
  }

  /** The client has sent something, or takes more. */
  void ready() {
    try {
      phase.ready();
    } catch (IOException | RuntimeException e) {
      end(); // the client has gone away; nobody is left to be told
    }
  }

  void overdue() {
    phase.overdue();
  }

  /** Waits for the deadline alone. */
  void hearNoMore() {
    key.interestOps(0);
  }

  /** Reads what nobody wants; negative at the end. */
  int skip() throws IOException {
    return skip(channel, ByteBuffer.allocate(SOME_BYTES));
  }

  int skip(ReadableByteChannel from, ByteBuffer into) throws IOException {
    int read = from.read(into.clear());
    skippedBytes += Math.max(0, read);
    return read;
  }

  /** How much has come that nobody wants. */
  long skippedBytes() {
    return skippedBytes;
  }

  /** From now on the connection is somebody else's. */
  void handOver(Upgrade to) throws IOException {
    phase = Phase.OVER;
    loop.forget(this);
    key.cancel();
    channel.socket().configureBlocking(true);
    to.take(channel.handOver());
  }

  void end() {
    Phase last = phase;
    phase = Phase.OVER;
    loop.forget(this);
    last.end();
    HttpLoop.closeQuietly(channel);
  }
}
