// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcBounds;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP/1.1, one request on each connection; with a body only where the handler takes one. An
 * answer may make its connection {@linkplain Upgrade something else}, and may have {@linkplain
 * Further further parts}, each made when it is due and the client has read the one before. A client
 * that begins with the preface of HTTP/2 speaks gRPC, if the handler takes that, and keeps its
 * connection.
 *
 * <p><b>Threads.</b> One thread accepts, reads and writes, and never waits for a client. {@link
 * Workers} make the answers. An answer that is not made in time is not waited for: its client gets
 * a 503. Its maker is told, and so it is when a client closes its side of the connection before it
 * is answered: a search for it ends.
 *
 * <p><b>Bounds.</b> {@link Bounds} and {@link GrpcBounds} have them. There may be {@value
 * #MAX_HTTP2} connections of gRPC beside the others; one more takes the place of the one that has
 * been idle for longest. Among the others, one more takes the place of one that has its answer, and
 * otherwise of the one that has been sending its request, or has read nothing of its answer, for
 * longest. {@link AnswerMemory} bounds answers. So neither clients that send half a request nor
 * clients that do not read can keep others from their answers, or the application from its heap.
 *
 * <p><b>Failures.</b> A turn that fails is a fault, and the next one goes on. If the handler fails,
 * the client gets a 500.
 */
public final class HttpLoop implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CLOSING_MILLIS = 1_000;
  private static final int BACKLOG = 64;
  private static final int MAX_HTTP2 = 256;

  private final ServerSocketChannel server;
  private final Selector selector;
  private final HttpHandler handler;
  private final Bounds bounds;
  private final Place place;
  private final Workers workers;
  private final Thread thread;

  /** In the order in which they were accepted. */
  private final Set<Connection> connections = new LinkedHashSet<>();

  /** Work for the loop's thread. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Those of HTTP/2 that have not read all that is there. */
  private final Set<Connection> unread = new LinkedHashSet<>();

  private long refreshedNanos = System.nanoTime();
  private volatile boolean closed;

  private HttpLoop(
      ServerSocketChannel server,
      Selector selector,
      HttpHandler handler,
      Bounds bounds,
      Place place) {
    this.server = server;
    this.selector = selector;
    this.handler = handler;
    this.bounds = bounds;
    this.place = place;
    this.workers = new Workers(this, handler, place.accountant, bounds.connections);
    this.thread = AgentThread.make("deimos-page", this::run);
  }

  /** Listens, without TLS. */
  public static HttpLoop listen(InetSocketAddress address, HttpHandler handler, Bounds bounds)
      throws IOException {
    return listen(
        address, handler, bounds, new Place(null, false, Accountant.ofHeap(1, Long.MAX_VALUE)));
  }

  /** Listens. */
  public static HttpLoop listen(
      InetSocketAddress address, HttpHandler handler, Bounds bounds, Place place)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(address, BACKLOG);
      server.configureBlocking(false);
      Selector selector = Selector.open();
      server.register(selector, SelectionKey.OP_ACCEPT);
      return new HttpLoop(server, selector, handler, bounds, place);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  public int port() {
    return server.socket().getLocalPort();
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        turn();
      } catch (Throwable t) {
        Faults.caught(t); // no memory, say: who is there already may still be served
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    new ArrayList<>(connections).forEach(Connection::end);
    closeQuietly(server);
    closeQuietly(selector);
    workers.close();
  }

  private void turn() throws IOException {
    if (unread.isEmpty()) {
      selector.select(untilNextDeadlineMillis());
    } else {
      selector.selectNow();
    }
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Connection connection) {
        connection.ready();
      } else {
        accept();
      }
    }
    selector.selectedKeys().clear();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    List<Connection> more = new ArrayList<>(unread);
    unread.clear();
    for (Connection connection : more) {
      if (connections.contains(connection)) {
        connection.ready();
      }
    }
    long now = System.nanoTime();
    for (Connection connection : new ArrayList<>(connections)) {
      if (connection.deadlineNanos() - now <= 0) {
        connection.overdue();
      }
    }
  }

  /** 0, which is for ever, while there are no connections: then the thread sleeps. */
  private long untilNextDeadlineMillis() {
    long now = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (Connection connection : connections) {
      least = Math.min(least, connection.deadlineNanos() - now);
    }
    return least == Long.MAX_VALUE ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(least) + 1);
  }

  private void accept() throws IOException {
    SocketChannel channel;
    try {
      channel = server.accept();
    } catch (IOException e) {
      // No descriptor is free, say. The key stays ready, so look again a little later.
      LockSupport.parkNanos(this, PAUSE_NANOS);
      return;
    }
    if (channel == null) {
      return;
    }
    if (connections.size() - http2().size() >= bounds.connections && !makesRoom()) {
      closeQuietly(channel);
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      connections.add(new Connection(this, clientOf(channel), selector));
    } catch (IOException e) {
      closeQuietly(channel);
    }
  }

  private ClientChannel clientOf(SocketChannel channel) throws IOException {
    Certificates certificates = place.tls;
    if (certificates == null) {
      return new PlainChannel(channel);
    }
    long now = System.nanoTime();
    if (now - refreshedNanos > REFRESH_NANOS) {
      refreshedNanos = now;
      workers.refresh(certificates);
    }
    return new TlsChannel(channel, certificates.context(), place.forGrpc);
  }

  /**
   * A client with its answer has no more to lose; one whose answer is being made is not asked to
   * go.
   */
  private boolean makesRoom() {
    Connection slowest = null;
    for (Connection connection : connections) {
      if (connection.isLingering() && connection.http2() == null) {
        connection.end();
        return true;
      }
      if (connection.isClientsTurn()
          && (slowest == null || connection.movedNanos() - slowest.movedNanos() < 0)) {
        slowest = connection;
      }
    }
    if (slowest != null) {
      slowest.end();
    }
    return slowest != null;
  }

  /** Whether there is room for one more connection of gRPC; if not, the service is told. */
  boolean makesRoomForHttp2(GrpcService service) {
    List<Connection> all = http2();
    if (all.size() < MAX_HTTP2) {
      return true;
    }
    Connection idlest = null;
    long lastNanos = 0;
    for (Connection connection : all) {
      Http2 spoken = connection.http2();
      if (spoken != null
          && spoken.isIdle()
          && (idlest == null || spoken.lastNanos() - lastNanos < 0)) {
        idlest = connection;
        lastNanos = spoken.lastNanos();
      }
    }
    if (idlest == null || idlest.http2() == null) {
      service.refused("more than " + MAX_HTTP2 + " connections at work");
      return false;
    }
    idlest.http2().leave();
    idlest.end();
    return true;
  }

  private List<Connection> http2() {
    return connections.stream().filter(one -> one.http2() != null).toList();
  }

  HttpHandler handler() {
    return handler;
  }

  Bounds bounds() {
    return bounds;
  }

  Accountant accountant() {
    return place.accountant;
  }

  Workers workers() {
    return workers;
  }

  /** Has something done on the loop's thread. By any thread. */
  void execute(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  /** A connection has not read all that is there. */
  void serveAgain(Connection connection) {
    unread.add(connection);
  }

  void forget(Connection connection) {
    connections.remove(connection);
    unread.remove(connection);
  }

  static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // There is nothing left to do with it.
    }
  }

  @Override
  public void close() {
    closed = true;
    if (thread.getState() == Thread.State.NEW) {
      run();
      return;
    }
    selector.wakeup();
    try {
      thread.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How much of its time and room the loop gives to its clients.
   *
   * @param connections how many there may be at once
   * @param read how long a client may take to send its request
   * @param write how long it may take to read its answer
   * @param grpc what a connection of gRPC gets
   */
  public record Bounds(int connections, Duration read, Duration write, GrpcBounds grpc) {
    public static final Bounds DEFAULT =
        new Bounds(64, Duration.ofSeconds(5), Duration.ofSeconds(30));

    Bounds(int connections, Duration read, Duration write) {
      this(connections, read, write, GrpcBounds.DEFAULT);
    }
  }

  /**
   * The peculiarities of the place where a loop listens.
   *
   * @param tls how connections are encrypted; null if they are not
   * @param forGrpc whether clients that speak both over TLS are to speak HTTP/2
   * @param accountant keeps account of what requests take, of this loop and of others
   */
  public record Place(@Nullable Certificates tls, boolean forGrpc, Accountant accountant) {}
}
