// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection of which one thread reads while another writes. Closing it ends both. */
public interface Wire extends Closeable {
  InputStream in() throws IOException;

  OutputStream out() throws IOException;

  /** From now on a read that nothing comes for fails after so long. */
  void patience(int millis) throws IOException;

  /** A plain socket, connected and blocking. */
  static Wire of(Socket socket) {
    return new SocketWire(socket, socket);
  }
}
