// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.reactor.ssl.SSLSessionInitializer;
import org.apache.hc.core5.reactor.ssl.SSLSessionVerifier;
import org.apache.hc.core5.reactor.ssl.TlsDetails;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A channel as HttpCore's multiplexer sees it. It hands out no more than an allowance of bytes at
 * once, so that no client keeps the thread, and nothing while it cannot send.
 */
final class LoopSession implements ProtocolIOSession {
  private final ByteChannel channel;
  private final Lock lock = new ReentrantLock();
  private final Queue<Command> commands = new ArrayDeque<>();
  private ByteBuffer before;
  private int mask = SelectionKey.OP_READ;
  private int allowance;
  private long received;
  private boolean blocked;
  private boolean ended;
  private boolean closed;

  /**
   * @param before what has been read from the channel already
   */
  LoopSession(ByteChannel channel, ByteBuffer before) {
    this.channel = channel;
    this.before = before;
  }

  void allow(int bytes) {
    allowance = bytes;
  }

  /** Whether more may be there to be read than was allowed. */
  boolean hasMore() {
    return before.hasRemaining() || allowance <= 0;
  }

  /** Whether the channel took less than it was given the last time. */
  boolean isBlocked() {
    return blocked;
  }

  boolean wantsToWrite() {
    return (mask & SelectionKey.OP_WRITE) != 0;
  }

  /** Whether the client will send nothing more. */
  boolean isAtItsEnd() {
    return ended;
  }

  /** How many bytes have been read. */
  long received() {
    return received;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    if (allowance <= 0 || !to.hasRemaining()) {
      return 0;
    }
    int most = Math.min(allowance, to.remaining());
    int read;
    if (before.hasRemaining()) {
      read = Math.min(most, before.remaining());
      to.put(before.slice().limit(read));
      before.position(before.position() + read);
    } else {
      int limit = to.limit();
      to.limit(to.position() + most);
      try {
        read = channel.read(to);
      } finally {
        to.limit(limit);
      }
    }
    ended = read < 0;
    allowance -= Math.max(0, read);
    received += Math.max(0, read);
    return read;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int written = channel.write(from);
    blocked = from.hasRemaining();
    return written;
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public void close(CloseMode mode) {
    closed = true;
  }

  @Override
  public Status getStatus() {
    return closed ? Status.CLOSED : Status.ACTIVE;
  }

  @Override
  public Lock getLock() {
    return lock;
  }

  @Override
  public void enqueue(Command command, Command.Priority priority) {
    commands.add(command);
    setEvent(SelectionKey.OP_WRITE);
  }

  @Override
  public boolean hasCommands() {
    return !commands.isEmpty();
  }

  @Override
  public @Nullable Command poll() {
    return commands.poll();
  }

  @Override
  public ByteChannel channel() {
    return this;
  }

  @Override
  public int getEventMask() {
    return mask;
  }

  @Override
  public void setEventMask(int ops) {
    mask = ops;
  }

  @Override
  public void setEvent(int op) {
    mask |= op;
  }

  @Override
  public void clearEvent(int op) {
    mask &= ~op;
  }

  @Override
  public String getId() {
    return "grpc";
  }

  @Override
  public @Nullable IOEventHandler getHandler() {
    return null;
  }

  @Override
  public void upgrade(IOEventHandler handler) {
    throw new UnsupportedOperationException("it is HTTP/2 and stays so");
  }

  @Override
  public @Nullable SocketAddress getRemoteAddress() {
    return null;
  }

  @Override
  public @Nullable SocketAddress getLocalAddress() {
    return null;
  }

  @Override
  public @Nullable NamedEndpoint getInitialEndpoint() {
    return null;
  }

  @Override
  public Timeout getSocketTimeout() {
    return Timeout.DISABLED;
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {}

  @Override
  public long getLastReadTime() {
    return 0;
  }

  @Override
  public long getLastWriteTime() {
    return 0;
  }

  @Override
  public long getLastEventTime() {
    return 0;
  }

  @Override
  public void updateReadTime() {}

  @Override
  public void updateWriteTime() {}

  @Override
  public void startTls(
      SSLContext context,
      NamedEndpoint endpoint,
      SSLBufferMode mode,
      SSLSessionInitializer initializer,
      SSLSessionVerifier verifier,
      Timeout timeout) {
    throw new UnsupportedOperationException("the channel below is encrypted, or is not to be");
  }

  @Override
  public @Nullable TlsDetails getTlsDetails() {
    return null;
  }
}
