// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Somebody who binds a port as soon as it is free, answers everybody with an empty object, and
 * remembers what he was sent.
 */
final class StrangerOnThePort implements AutoCloseable {
  private static final Pattern TOKEN = Pattern.compile("(?i)x-deimos-token: *(\\S+)");

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final ServerSocket socket;

  private StrangerOnThePort(ServerSocket socket) {
    this.socket = socket;
    Thread accepts = new Thread(this::accept);
    accepts.setDaemon(true);
    accepts.start();
  }

  static StrangerOnThePort on(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    new Eventually()
        .await(
            () -> {
              try {
                byte[] loopback = {127, 0, 0, 1};
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(loopback), port));
                return true;
              } catch (BindException e) {
                return false;
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            Eventually.DEADLINE,
            () -> "port " + port + " for somebody else");
    return new StrangerOnThePort(socket);
  }

  /** Whether somebody has asked this. */
  boolean hasHeard(String part) {
    return asked.stream().anyMatch(request -> request.contains(part));
  }

  Set<String> tokens() {
    return asked.stream()
        .flatMap(request -> TOKEN.matcher(request).results())
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toSet());
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Thread answers = new Thread(() -> answer(client)); // some open one and send nothing
        answers.setDaemon(true);
        answers.start();
      } catch (IOException e) {
        // It is closed, or the next one has more luck.
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      byte[] request = new byte[16 * 1024];
      int read = client.getInputStream().read(request);
      asked.add(new String(request, 0, Math.max(0, read), StandardCharsets.ISO_8859_1));
      client
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
                  .getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Whoever asked is gone.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
