// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between two nodes, which believe it to be the second one: it cuts, stalls and corrupts
 * what goes through.
 */
final class FaultProxy implements AutoCloseable {
  private static final int HEADER_BYTES = 5;

  /** While it is stalled, the system takes no more than about so much for it. */
  private static final int RECEIVE_BYTES = 64 * 1024;

  /** Only the beginning of each connection is kept: gigabytes may go through. */
  private static final int RECORDED_BYTES = 8 << 20;

  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile int target;
  private volatile boolean stalled;
  private volatile boolean refusing;

  /** New connections are cut when so many bytes have gone through; never if negative. */
  private volatile long cutAfter = -1;

  /** The byte at this place of each new connection is changed; none if negative. */
  private volatile long corruptAt = -1;

  private final Map<Integer, ByteArrayOutputStream> recordings = new ConcurrentHashMap<>();
  private final Map<Integer, Socket> accepted = new ConcurrentHashMap<>();

  /** Where connections were cut so far. */
  final List<Long> cuts = new CopyOnWriteArrayList<>();

  final AtomicInteger connections = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger();

  FaultProxy() throws IOException {
    server = new ServerSocket();
    server.setReceiveBufferSize(RECEIVE_BYTES);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    daemon(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  void forwardTo(int port) {
    target = port;
  }

  /** Cuts each new connection after so many bytes. */
  void cutAfter(long bytes) {
    cutAfter = bytes;
  }

  /** Changes one byte of each new connection, counted from 0. */
  void corruptAt(long position) {
    corruptAt = position;
  }

  /** The beginning of what was sent on each connection so far, in the order in which they came. */
  List<byte[]> recordings() {
    return recordings.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getValue().toByteArray())
        .toList();
  }

  void stall(boolean on) {
    stalled = on;
  }

  void refuse(boolean on) {
    refusing = on;
    if (on) {
      cutAll();
    }
  }

  void cutAll() {
    List<Socket> open = List.copyOf(sockets);
    open.forEach(FaultProxy::close);
    sockets.removeAll(open); // and none that has come meanwhile
  }

  /** Ends all connections in order, and takes nothing of them any more. */
  void endAll() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  /** Ends the connections whose header says that they are of a stream. */
  void cutStream(int stream) {
    recordings.forEach(
        (number, recording) -> {
          byte[] sent = recording.toByteArray();
          if (sent.length >= HEADER_BYTES && sent[HEADER_BYTES - 1] == stream) {
            close(accepted.get(number));
          }
        });
  }

  /** How many connections there are. */
  long open() {
    return accepted.values().stream().filter(socket -> !socket.isClosed()).count();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket from = server.accept();
        if (refusing) {
          refused.incrementAndGet();
          close(from);
          continue;
        }
        ByteArrayOutputStream recording = new ByteArrayOutputStream();
        long cut = cutAfter; // what is set when the connection has been counted is for the next
        int number = connections.get() + 1;
        accepted.put(number, from);
        recordings.put(number, recording);
        connections.set(number);
        sockets.add(from);
        Socket to = connected(from);
        sockets.add(to);
        AtomicInteger ways = new AtomicInteger(2);
        daemon(() -> pass(from, to, recording, cut, ways));
        daemon(() -> pass(to, from, null, -1, ways));
      } catch (IOException e) {
        // closed, or the target is down
      }
    }
  }

  /** A node that is left with an open connection to nobody waits for its end for ever. */
  private Socket connected(Socket from) throws IOException {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), target);
    } catch (IOException e) {
      close(from);
      throw e;
    }
  }

  /**
   * One way of a connection. An end in order is passed on as one: whatever is under way the other
   * way is still read, since a socket that is closed with unread bytes resets its connection.
   */
  private void pass(
      Socket from, Socket to, ByteArrayOutputStream recording, long cut, AtomicInteger ways) {
    boolean isCut = pump(from, to, recording, cut);
    try {
      if (isCut || ways.decrementAndGet() == 0) {
        from.close();
        to.close();
      } else {
        to.shutdownOutput();
      }
    } catch (IOException e) {
      // it was closed before
    }
  }

  /** Returns at the end of what comes; true if that is a cut. */
  private boolean pump(Socket from, Socket to, ByteArrayOutputStream recording, long cut) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[4096];
      long left = cut;
      long corrupt = recording == null ? -1 : corruptAt;
      while (true) {
        while (stalled) {
          java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
        int read = in.read(buffer);
        if (read < 0) {
          return false;
        }
        int pass = left < 0 ? read : (int) Math.min(left, read);
        if (corrupt >= 0 && corrupt < read) {
          buffer[(int) corrupt] ^= 0x7F;
        }
        corrupt -= read; // below 0 it has happened
        if (recording != null) {
          recording.write(buffer, 0, Math.min(pass, RECORDED_BYTES - recording.size()));
        }
        out.write(buffer, 0, pass);
        if (left >= 0) {
          left -= pass;
          if (left == 0) {
            cuts.add(cut);
            return true;
          }
        }
      }
    } catch (IOException e) {
      discard(from); // the other side takes no more, or this one has ended
      return false;
    }
  }

  private static void discard(Socket from) {
    try {
      from.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // it has ended
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // it was closed before
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cutAll();
  }
}
