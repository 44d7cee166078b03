// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The time of a round trip on this machine if nobody does anything: a thread writes to a socket, one
 * that waits for sockets reads it and wakes a third, and back the same way. No transport that keeps
 * waiting for sockets and running actors apart has fewer wake-ups than these four.
 */
final class Floor {
  private static final int BYTES = 200;

  private final SocketChannel out;
  private final SocketChannel in;
  private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
  private final Semaphore come = new Semaphore(0);

  private Floor(SocketChannel out, SocketChannel in) throws IOException {
    this.out = out;
    this.in = in;
    out.socket().setTcpNoDelay(true);
    daemon(this::read);
  }

  /** The time of each round trip, with a pause before each. */
  static long[] roundTrips(int count, long pauseNanos) throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel there = SocketChannel.open(server.getLocalAddress());
      SocketChannel thereEnd = server.accept();
      SocketChannel back = SocketChannel.open(server.getLocalAddress());
      SocketChannel backEnd = server.accept();
      Floor asking = new Floor(there, backEnd);
      Floor answering = new Floor(back, thereEnd);
      daemon(
          () -> {
            while (true) {
              answering.come.acquire();
              answering.write();
            }
          });
      long[] nanos = new long[count];
      for (int i = 0; i < count; i++) {
        LockSupport.parkNanos(pauseNanos);
        long start = System.nanoTime();
        asking.write();
        asking.come.acquire();
        nanos[i] = System.nanoTime() - start;
      }
      return nanos;
    }
  }

  private void write() throws IOException {
    out.write(message.clear());
  }

  private void read() throws IOException {
    Selector selector = Selector.open();
    in.configureBlocking(false);
    in.register(selector, SelectionKey.OP_READ);
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    while (selector.isOpen()) {
      selector.select();
      selector.selectedKeys().clear();
      in.read(bytes);
      if (!bytes.hasRemaining()) {
        bytes.clear();
        come.release();
      }
    }
  }

  /** The work of a thread until the JVM ends. */
  private interface Work {
    void run() throws Exception;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
