// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes on what comes to one port of 127.0.0.1 to another, and breaks its connections when told
 * to.
 */
final class BreakingProxy {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final int behind;

  BreakingProxy() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      behind = free.getLocalPort();
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Where what comes goes on to. */
  int behind() {
    return behind;
  }

  void breakAll() {
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // it was on its way out
      }
    }
    open.removeIf(Socket::isClosed);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "breaking-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        open.add(near);
        Socket far = new Socket(InetAddress.getLoopbackAddress(), behind);
        open.add(far);
        start(() -> pass(near, far));
        start(() -> pass(far, near));
      } catch (IOException e) {
        breakAll(); // nobody is behind yet
      }
    }
  }

  private static void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // broken, as it is meant to be
    }
  }
}
