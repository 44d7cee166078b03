// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import io.deimos.it.harness.Eventually;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * Somebody who binds a port as soon as it is free, and remembers what he was sent. He answers
 * programs with an empty object, and gives browsers a service worker that answers in his place. He
 * keeps their connections.
 */
final class StrangerOnThePort implements AutoCloseable {
  private static final Pattern TOKEN = Pattern.compile("(?i)x-deimos-token: *(\\S+)");
  private static final String PAGE =
      """
      <title>Stranger</title><script>
      navigator.serviceWorker.register("/worker");
      navigator.serviceWorker.ready.then(() => (document.body.id = "has-worker"));
      </script><body>The stranger's
      """;
  private static final String WORKER =
      """
      addEventListener("install", () => skipWaiting());
      addEventListener("fetch", (event) =>
        event.respondWith(new Response("The worker's", { headers: { "Content-Type": "text/html" } })));
      """;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final ServerSocket socket;

  private StrangerOnThePort(ServerSocket socket) {
    this.socket = socket;
    start(this::accept);
  }

  static StrangerOnThePort on(int port) {
    ServerSocket socket = unbound();
    Eventually.await(
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
        () -> "port " + port + " for somebody else");
    return new StrangerOnThePort(socket);
  }

  private static ServerSocket unbound() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private static void start(Runnable program) {
    Thread thread = new Thread(program);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        clients.add(client);
        start(() -> answer(client)); // some open one and send nothing
      } catch (IOException e) {
        // It is closed, or the next one has more luck.
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      byte[] buffer = new byte[16 * 1024];
      int read = client.getInputStream().read(buffer);
      while (read > 0) {
        String request = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
        asked.add(request);
        client.getOutputStream().write(answerTo(request).getBytes(StandardCharsets.US_ASCII));
        read = request.contains("Mozilla") ? client.getInputStream().read(buffer) : 0;
      }
    } catch (IOException e) {
      // The asker is gone.
    }
  }

  private static String answerTo(String request) {
    if (request.startsWith("GET /worker ")) {
      return answer("text/javascript", WORKER);
    }
    return request.startsWith("GET / ")
        ? answer("text/html", PAGE)
        : answer("application/json", "{}");
  }

  private static String answer(String type, String body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: "
        + type
        + "\r\nCache-Control: max-age=604800\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** Leaves the port to others, and goes on with whoever is connected. */
  void leavePort() {
    close(socket);
  }

  @Override
  public void close() {
    close(socket);
    clients.forEach(StrangerOnThePort::close);
  }

  private static void close(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
