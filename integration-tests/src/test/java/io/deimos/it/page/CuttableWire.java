// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A network between a port of its own and another, which a test can cut: then nothing arrives any
 * more, and no side is told. When it is whole again, what was on its way arrives. The Host header
 * is rewritten, as by a proxy: a page on this machine answers to its own address only.
 */
final class CuttableWire implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final ServerSocket from;
  private final int to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private boolean isCut;

  private CuttableWire(ServerSocket from, int to) {
    this.from = from;
    this.to = to;
  }

  static CuttableWire to(int port) throws IOException {
    CuttableWire wire =
        new CuttableWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    start(wire::accept);
    return wire;
  }

  int port() {
    return from.getLocalPort();
  }

  synchronized void cut() {
    isCut = true;
  }

  synchronized void heal() {
    isCut = false;
    notifyAll();
  }

  private synchronized void awaitWhole() {
    while (isCut) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void start(Runnable what) {
    Thread thread = new Thread(what, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = from.accept();
        sockets.add(near);
        start(() -> connect(near));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private void connect(Socket near) {
    awaitWhole();
    try {
      Socket far = new Socket(InetAddress.getLoopbackAddress(), to);
      sockets.add(far);
      start(() -> pass(near, far, true));
      pass(far, near, false);
    } catch (IOException e) {
      close(near);
    }
  }

  private void pass(Socket here, Socket there, boolean isRequest) {
    byte[] some = new byte[BUFFER_BYTES];
    boolean isFirst = isRequest;
    try {
      InputStream in = here.getInputStream();
      OutputStream out = there.getOutputStream();
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        awaitWhole();
        out.write(isFirst ? addressed(some, read) : Arrays.copyOf(some, read));
        isFirst = false;
      }
    } catch (IOException e) {
      // One side has gone; the other is told below.
    }
    awaitWhole();
    close(here);
    close(there);
  }

  /** A client first writes its request's head, whole. */
  private byte[] addressed(byte[] head, int length) {
    return new String(head, 0, length, StandardCharsets.ISO_8859_1)
        .replace("Host: 127.0.0.1:" + port(), "Host: 127.0.0.1:" + to)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // There is nothing left to do with it.
    }
  }

  @Override
  public void close() throws IOException {
    from.close();
    heal();
    sockets.forEach(CuttableWire::close);
  }
}
