// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A socket, with or without TLS over it. */
public final class SocketWire implements Wire {
  private final Socket socket;
  private final Socket plain;

  /**
   * @param socket what is read and written
   * @param plain what is below it: closing that waits for nobody, as a last word of TLS might
   */
  public SocketWire(Socket socket, Socket plain) {
    this.socket = socket;
    this.plain = plain;
  }

  @Override
  public InputStream in() throws IOException {
    return socket.getInputStream();
  }

  @Override
  public OutputStream out() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }
}
