// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that hand the system large pieces of a request. The agent's HTTP client writes 8 KiB at a
 * time, each of which is a call into the system and, on a busy machine, a wake-up of whoever reads;
 * at hundreds of thousands of spans a second these cost more than the encoding.
 *
 * <p>The client flushes at the end of each request, so nothing waits here for longer.
 */
final class BulkSockets extends SocketFactory {
  /** As much as the JDK passes to the system at once. */
  private static final int PIECE_BYTES = 128 * 1024;

  private BulkSockets() {}

  /** A change to the builder of a sender's client, whose classes this loader has. */
  interface Change {
    void make(Object builder, ClassLoader loader) throws ReflectiveOperationException;
  }

  /**
   * Has a sender's connections made here from now on.
   *
   * @return false if this sender is of a kind that we do not know, and is as it was
   */
  static boolean use(Object sender) {
    return change(
        sender,
        (builder, loader) -> {
          builder
              .getClass()
              .getMethod("socketFactory", SocketFactory.class)
              .invoke(builder, new BulkSockets());
          // A collector that redirects would get the user's headers sent to wherever it says.
          for (String redirects : List.of("followRedirects", "followSslRedirects")) {
            builder.getClass().getMethod(redirects, boolean.class).invoke(builder, false);
          }
        });
  }

  /** Gives a sender of the SDK's another client; false if it is as it was. */
  static boolean change(Object sender, Change change) {
    try {
      Field field = sender.getClass().getDeclaredField("client");
      field.setAccessible(true);
      Object client = field.get(sender);
      Object builder = client.getClass().getMethod("newBuilder").invoke(client);
      change.make(builder, client.getClass().getClassLoader());
      field.set(sender, builder.getClass().getMethod("build").invoke(builder));
      return true;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return false; // then in smaller pieces
    }
  }

  @Override
  public Socket createSocket() {
    return new BulkSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw unconnected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw unconnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw unconnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw unconnected();
  }

  private static UnsupportedOperationException unconnected() {
    return new UnsupportedOperationException("the client makes sockets and connects them itself");
  }

  private static final class BulkSocket extends Socket {
    private @Nullable OutputStream out;

    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
      OutputStream known = out;
      if (known == null) {
        known = new BufferedOutputStream(super.getOutputStream(), PIECE_BYTES);
        out = known;
      }
      return known;
    }
  }
}
