// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP/1.1 requests without a body, one on each connection.
 *
 * <p><b>Threads.</b> One thread accepts, reads and writes, and never waits for a client. Up to four
 * others make the answers. They come when they are needed and go when they are idle.
 *
 * <p><b>Bounds.</b> {@value #MOST_CONNECTIONS} connections; one more takes the place of the one
 * that has been sending its request for longest. A request has {@value #MOST_HEAD_BYTES} bytes and
 * {@value #READ_SECONDS} seconds, an answer {@value #WRITE_SECONDS} seconds to be taken. So neither
 * clients that send half a request nor clients that do not read can keep others from their answers.
 */
final class HttpLoop implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 64;
  private static final int MOST_HEAD_BYTES = 16 * 1024;
  private static final int FIRST_HEAD_BYTES = 1024;
  private static final int READ_SECONDS = 5;
  private static final int WRITE_SECONDS = 30;
  private static final int LINGER_SECONDS = 1;
  private static final int MOST_LINGERED_BYTES = 64 * 1024;
  private static final int MOST_WORKERS = 4;
  private static final int IDLE_SECONDS = 10;
  private static final int BACKLOG = 64;
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocketChannel server;
  private final Selector selector;
  private final Function<Request, Answer> handler;
  private final ThreadPoolExecutor workers;
  private final Thread thread;

  /** In the order in which they were accepted. */
  private final Set<Connection> connections = new LinkedHashSet<>();

  private final Queue<Connection> answered = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private HttpLoop(
      ServerSocketChannel server, Selector selector, Function<Request, Answer> handler) {
    this.server = server;
    this.selector = selector;
    this.handler = handler;
    AtomicInteger number = new AtomicInteger();
    this.workers =
        new ThreadPoolExecutor(
            MOST_WORKERS,
            MOST_WORKERS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_CONNECTIONS),
            work -> daemon(work, "deimos-page-" + number.incrementAndGet()));
    workers.allowCoreThreadTimeOut(true);
    this.thread = daemon(this::run, "deimos-page");
  }

  /**
   * Listens.
   *
   * @param handler makes the answers; throws nothing
   */
  static HttpLoop listen(InetSocketAddress address, Function<Request, Answer> handler)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(address, BACKLOG);
      server.configureBlocking(false);
      Selector selector = Selector.open();
      server.register(selector, SelectionKey.OP_ACCEPT);
      return new HttpLoop(server, selector, handler);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  int port() {
    return server.socket().getLocalPort();
  }

  void start() {
    thread.start();
  }

  static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  private void run() {
    try {
      while (!closed) {
        turn();
      }
    } catch (IOException | RuntimeException e) {
      Faults.caught(e);
    } finally {
      new ArrayList<>(connections).forEach(this::end);
      closeQuietly(server);
      closeQuietly(selector);
      workers.shutdownNow();
    }
  }

  private void turn() throws IOException {
    selector.select(untilNextDeadlineMillis());
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Connection connection) {
        serve(connection);
      } else {
        accept();
      }
    }
    selector.selectedKeys().clear();
    for (Connection next = answered.poll(); next != null; next = answered.poll()) {
      if (connections.contains(next)) {
        next.answer(deadline(WRITE_SECONDS));
        serve(next);
      }
    }
    long now = System.nanoTime();
    for (Connection connection : new ArrayList<>(connections)) {
      if (connection.deadlineNanos - now <= 0) {
        end(connection);
      }
    }
  }

  /** 0, which is for ever, while there are no connections: then the thread sleeps. */
  private long untilNextDeadlineMillis() {
    long now = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (Connection connection : connections) {
      least = Math.min(least, connection.deadlineNanos - now);
    }
    return least == Long.MAX_VALUE ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(least) + 1);
  }

  private static long deadline(int seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  private void accept() throws IOException {
    SocketChannel channel;
    try {
      channel = server.accept();
    } catch (IOException e) {
      // No descriptor is free, say. The key stays ready, so look again a little later.
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(50));
      return;
    }
    if (channel == null) {
      return;
    }
    if (connections.size() == MOST_CONNECTIONS && !makeRoom()) {
      closeQuietly(channel);
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Connection connection = new Connection(channel, deadline(READ_SECONDS));
      connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
      connections.add(connection);
    } catch (IOException e) {
      closeQuietly(channel);
    }
  }

  private boolean makeRoom() {
    for (Connection connection : connections) {
      if (connection.state == State.READING) {
        end(connection);
        return true;
      }
    }
    return false;
  }

  private void serve(Connection connection) {
    try {
      switch (connection.state) {
        case READING -> read(connection);
        case WAITING -> {}
        case WRITING -> write(connection);
        case LINGERING -> linger(connection);
      }
    } catch (IOException | RuntimeException e) {
      end(connection); // the client has gone away; nobody is left to be told
    }
  }

  private void read(Connection connection) throws IOException {
    if (connection.channel.read(connection.head) < 0) {
      end(connection);
      return;
    }
    int length = connection.headLength();
    if (length >= 0) {
      connection.await(deadline(WRITE_SECONDS));
      String head = new String(connection.head.array(), 0, length, StandardCharsets.ISO_8859_1);
      workers.execute(() -> answer(connection, head));
    } else if (connection.head.position() == MOST_HEAD_BYTES) {
      refuse(connection, 431, "a request has at most " + MOST_HEAD_BYTES + " bytes");
    } else if (!connection.head.hasRemaining()) {
      connection.grow();
    }
  }

  private void refuse(Connection connection, int status, String said) throws IOException {
    Answer refusal = new Answer(null);
    refusal.error(status, said);
    connection.out = refusal.bytes();
    connection.answer(deadline(WRITE_SECONDS));
    write(connection);
  }

  /** On a worker's thread. */
  private void answer(Connection connection, String head) {
    Answer answer;
    try {
      answer = handler.apply(Request.parse(head));
    } catch (Request.Malformed e) {
      answer = new Answer(null);
      answer.error(e.status(), e.said());
    } catch (Throwable t) {
      Faults.caught(t);
      answer = new Answer(null);
      answer.error(500, "Deimos failed while it made this answer: " + t);
    }
    connection.out = answer.bytes();
    answered.add(connection);
    selector.wakeup();
  }

  private void write(Connection connection) throws IOException {
    ByteBuffer out = connection.out;
    if (out == null) {
      return;
    }
    connection.channel.write(out);
    if (!out.hasRemaining()) {
      connection.out = null;
      connection.channel.shutdownOutput();
      connection.linger(deadline(LINGER_SECONDS));
    }
  }

  /** Closing while the client still sends would take back what it has not read yet. */
  private void linger(Connection connection) throws IOException {
    connection.head.clear();
    int read = connection.channel.read(connection.head);
    connection.lingered += Math.max(0, read);
    if (read < 0 || connection.lingered > MOST_LINGERED_BYTES) {
      end(connection);
    }
  }

  private void end(Connection connection) {
    connections.remove(connection);
    closeQuietly(connection.channel);
  }

  private static void closeQuietly(AutoCloseable closeable) {
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
      thread.join(TimeUnit.SECONDS.toMillis(LINGER_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private enum State {
    READING,
    WAITING,
    WRITING,
    LINGERING
  }

  /** Belongs to the loop's thread, but for {@code out}, which a worker hands over. */
  private static final class Connection {
    private final SocketChannel channel;
    private @Nullable SelectionKey key;
    private State state = State.READING;
    private long deadlineNanos;
    private ByteBuffer head = ByteBuffer.allocate(FIRST_HEAD_BYTES);
    private volatile @Nullable ByteBuffer out;
    private int searched;
    private int lingered;

    Connection(SocketChannel channel, long deadlineNanos) {
      this.channel = channel;
      this.deadlineNanos = deadlineNanos;
    }

    /** How many bytes come before the empty line; negative while there is none. */
    int headLength() {
      byte[] bytes = head.array();
      for (; searched + END.length <= head.position(); searched++) {
        if (Arrays.equals(bytes, searched, searched + END.length, END, 0, END.length)) {
          return searched;
        }
      }
      return -1;
    }

    void grow() {
      head = ByteBuffer.allocate(Math.min(MOST_HEAD_BYTES, 2 * head.capacity())).put(head.flip());
    }

    void await(long deadline) {
      turn(State.WAITING, 0, deadline);
    }

    void answer(long deadline) {
      turn(State.WRITING, SelectionKey.OP_WRITE, deadline);
    }

    void linger(long deadline) {
      turn(State.LINGERING, SelectionKey.OP_READ, deadline);
    }

    private void turn(State next, int interest, long deadline) {
      state = next;
      deadlineNanos = deadline;
      if (key != null) {
        key.interestOps(interest);
      }
    }
  }
}
