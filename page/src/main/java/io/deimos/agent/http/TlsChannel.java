// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * A connection with TLS, of the serving side. The loop uses it without waiting; after {@link
 * #handOver} one thread reads and another writes, and both wait.
 *
 * <p>The messages of a handshake are few and short. A client that takes none of them loses its
 * connection, and so does one that sends more than {@value #MAX_EMPTY} records with nothing for us
 * in them: a handshake again and again, new keys, or nothing at all. The loop would be at that for
 * as long as they come.
 */
final class TlsChannel implements ClientChannel, Wire {
  /** Ten times as many as a handshake has. */
  private static final int MAX_EMPTY = 100;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel socket;
  private final SSLEngine engine;
  private final Object writing = new Object();

  /** The bytes that have come and are not read yet, to be filled further. */
  private ByteBuffer netIn;

  /** The bytes that were read and not taken yet. */
  private ByteBuffer appIn;

  /** The bytes to send. */
  private ByteBuffer netOut;

  private volatile boolean waits;
  private int empty;

  /**
   * @param http2First whether a client that speaks both is to speak HTTP/2; one that speaks HTTP/2
   *     alone is let in anyhow
   */
  TlsChannel(SocketChannel socket, SSLContext context, boolean http2First) throws SSLException {
    this.socket = socket;
    this.engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setHandshakeApplicationProtocolSelector(
        (unused, offered) -> protocol(offered, http2First));
    engine.beginHandshake();
    netIn = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    appIn = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
    netOut = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).flip();
  }

  /** Nothing for a client that offers neither, which then speaks what it likes. */
  private static String protocol(List<String> offered, boolean http2First) {
    boolean isOld = offered.contains("http/1.1");
    if (offered.contains("h2") && (http2First || !isOld)) {
      return "h2";
    }
    return isOld ? "http/1.1" : "";
  }

  @Override
  public SocketChannel socket() {
    return socket;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public boolean hasMore() {
    return appIn.hasRemaining() || netIn.position() > 0;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    while (!appIn.hasRemaining()) {
      if (engine.isInboundDone() || !unwrap()) {
        return -1;
      }
      if (!appIn.hasRemaining() && needsMore) {
        makeRoom();
        int read = receive();
        if (read <= 0) {
          return read;
        }
      }
    }
    int some = Math.min(appIn.remaining(), to.remaining());
    to.put(appIn.slice().limit(some));
    appIn.position(appIn.position() + some);
    return some;
  }

  private boolean needsMore;

  /** Reads one record, if it is there; false at the end. */
  private boolean unwrap() throws IOException {
    HandshakeStatus before = engine.getHandshakeStatus();
    netIn.flip();
    appIn.clear();
    SSLEngineResult result;
    try {
      result = engine.unwrap(netIn, appIn);
    } finally {
      netIn.compact();
      appIn.flip();
    }
    needsMore = result.getStatus() == Status.BUFFER_UNDERFLOW;
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      appIn = ByteBuffer.allocate(2 * appIn.capacity()).flip();
      return true;
    }
    if (result.getStatus() == Status.CLOSED) {
      return false;
    }
    if (result.bytesConsumed() > 0 && result.bytesProduced() == 0 && !waits) {
      if (++empty > MAX_EMPTY) {
        throw new SSLException("records and nothing in them");
      }
    }
    handshake();
    boolean stands =
        result.bytesConsumed() == 0
            && result.bytesProduced() == 0
            && before == engine.getHandshakeStatus();
    needsMore |= stands;
    return true;
  }

  private void handshake() throws IOException {
    while (true) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        for (Runnable task = engine.getDelegatedTask();
            task != null;
            task = engine.getDelegatedTask()) {
          task.run();
        }
      } else if (status == HandshakeStatus.NEED_WRAP) {
        synchronized (writing) {
          wrap(NOTHING.duplicate());
          if (!send()) {
            throw new SocketException("the client takes no message of the handshake");
          }
        }
      } else {
        return;
      }
    }
  }

  /** A record may be larger than most are; the engine says so when it has seen its head. */
  private void makeRoom() throws SSLException {
    if (netIn.hasRemaining()) {
      return;
    }
    int wanted = engine.getSession().getPacketBufferSize();
    if (wanted <= netIn.capacity()) {
      throw new SSLException("a record that is too large");
    }
    netIn = ByteBuffer.allocate(wanted).put(netIn.flip());
  }

  private int receive() throws IOException {
    if (!waits) {
      return socket.read(netIn);
    }
    int read =
        socket
            .socket()
            .getInputStream()
            .read(netIn.array(), netIn.arrayOffset() + netIn.position(), netIn.remaining());
    netIn.position(netIn.position() + Math.max(0, read));
    return read;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int before = from.remaining();
    synchronized (writing) {
      while (send() && from.hasRemaining()) {
        int left = from.remaining();
        wrap(from);
        if (from.remaining() == left && !netOut.hasRemaining()) {
          throw new SSLException("nothing can be sent now");
        }
      }
    }
    return before - from.remaining();
  }

  /** One record more to be sent; the one before has been. Under the lock. */
  private void wrap(ByteBuffer from) throws IOException {
    netOut.compact();
    SSLEngineResult result;
    try {
      result = engine.wrap(from, netOut);
    } finally {
      netOut.flip();
    }
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      netOut =
          ByteBuffer.allocate(netOut.capacity() + engine.getSession().getPacketBufferSize())
              .put(netOut)
              .flip();
    } else if (result.getStatus() == Status.CLOSED && from.hasRemaining()) {
      throw new SocketException("the connection is closed");
    }
  }

  /** Sends what is to be sent; false if not all of it can be now. Under the lock. */
  private boolean send() throws IOException {
    if (waits) {
      socket
          .socket()
          .getOutputStream()
          .write(netOut.array(), netOut.arrayOffset() + netOut.position(), netOut.remaining());
      netOut.position(netOut.limit());
    } else if (netOut.hasRemaining()) {
      int unused = socket.write(netOut);
    }
    return !netOut.hasRemaining();
  }

  @Override
  public boolean flush() throws IOException {
    synchronized (writing) {
      return send();
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    synchronized (writing) {
      engine.closeOutbound();
      wrap(NOTHING.duplicate());
      boolean unused = send();
    }
    socket.shutdownOutput();
  }

  @Override
  public Wire handOver() {
    waits = true;
    return this;
  }

  @Override
  public void patience(int millis) throws IOException {
    socket.socket().setSoTimeout(millis);
  }

  @Override
  public InputStream in() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] to, int from, int count) throws IOException {
        return count == 0 ? 0 : TlsChannel.this.read(ByteBuffer.wrap(to, from, count));
      }
    };
  }

  @Override
  public OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int count) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes, from, count);
        while (rest.hasRemaining()) {
          int unused = TlsChannel.this.write(rest);
        }
        boolean sent = flushed();
        if (!sent) {
          throw new SocketException("the connection is closed");
        }
      }

      private boolean flushed() throws IOException {
        return TlsChannel.this.flush();
      }
    };
  }
}
