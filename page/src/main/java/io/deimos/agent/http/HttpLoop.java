// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcBounds;
import io.deimos.agent.grpc.GrpcCode;
import io.deimos.agent.grpc.GrpcConnection;
import io.deimos.agent.grpc.GrpcRefusal;
import io.deimos.agent.grpc.GrpcReply;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves HTTP/1.1 requests, one on each connection; with a body only where the handler takes one.
 * An answer may make its connection a link to another process, once that has proven who it is, and
 * may have {@linkplain Further further parts}, each made when it is due and the client has read the
 * one before. A client that begins with the preface of HTTP/2 speaks gRPC, if the handler takes
 * that, and keeps its connection.
 *
 * <p><b>Threads.</b> One thread accepts, reads and writes, and never waits for a client. Up to four
 * others make the answers. They come when they are needed and go when they are idle. Requests that
 * the handler wants to {@link Handler#takesTurns take turns} have one thread more, and {@value
 * #MAX_WAITING} of them wait for it; the next is refused at once, and so is one that had to wait
 * for {@value #TURN_SECONDS} s. An answer that is not made in time is not waited for: its client
 * gets a 503. Its maker is told, and so it is when a client closes its side of the connection
 * before it is answered: a search for it ends.
 *
 * <p><b>Bounds.</b> {@link Bounds} and {@link GrpcBounds} have them. There are {@value #MAX_HTTP2}
 * connections of gRPC beside the others; one too many takes the place of the one that has been idle
 * for longest. If there is one other connection too many, it takes the place of one that has its
 * answer, and otherwise of the one that has been sending its request, or has read nothing of its
 * answer, for longest. The memory of answers is {@link AnswerMemory}'s. So neither clients that
 * send half a request nor clients that do not read can keep others from their answers, or the
 * application from its heap.
 *
 * <p><b>Failures.</b> A turn that fails is a fault, and the next one goes on. If the handler fails,
 * the client is told so.
 */
public final class HttpLoop implements AutoCloseable {
  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int FIRST_HEAD_BYTES = 1024;
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int MAX_LINGERED_BYTES = 64 * 1024;

  /**
   * The rest of a refused body is read: clients that send first and read then are to get the
   * answer.
   */
  private static final int MAX_DRAINED_BYTES = 16 << 20;

  private static final int MAX_WORKERS = 4;
  private static final int MAX_WAITING = 16;
  private static final int TURN_SECONDS = 5;
  private static final int IDLE_SECONDS = 10;
  private static final int BACKLOG = 64;
  private static final int MAX_HTTP2 = 256;
  private static final String HTTP2_HEAD =
      GrpcConnection.PREFACE.substring(0, GrpcConnection.PREFACE.indexOf('\r'));
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocketChannel server;
  private final Selector selector;
  private final Handler handler;
  private final Accountant accountant;
  private final @Nullable SSLContext tls;
  private final boolean forGrpc;
  private final Bounds bounds;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor turns;
  private final Thread thread;

  /** In the order in which they were accepted. */
  private final Set<Connection> connections = new LinkedHashSet<>();

  private final Queue<Connection> answered = new ConcurrentLinkedQueue<>();

  /** The tasks for the loop's thread. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Those of HTTP/2 that have not read all that is there. */
  private final Set<Connection> unread = new LinkedHashSet<>();

  private int http2Connections;
  private volatile boolean closed;

  private HttpLoop(
      ServerSocketChannel server, Selector selector, Handler handler, Bounds bounds, Place place) {
    this.tls = place.tls;
    this.forGrpc = place.forGrpc;
    this.accountant = place.accountant;
    this.server = server;
    this.selector = selector;
    this.handler = handler;
    this.bounds = bounds;
    this.workers =
        new ThreadPoolExecutor(
            MAX_WORKERS,
            MAX_WORKERS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(bounds.connections),
            AgentThread.factory("deimos-page-answer"));
    workers.allowCoreThreadTimeOut(true);
    this.turns =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            AgentThread.factory("deimos-page-answer"));
    turns.allowCoreThreadTimeOut(true);
    this.thread = AgentThread.make("deimos-page", this::run);
  }

  /**
   * Listens.
   *
   * @param handler makes the answers; throws nothing
   */
  public static HttpLoop listen(InetSocketAddress address, Handler handler, Bounds bounds)
      throws IOException {
    return listen(
        address, handler, bounds, new Place(null, false, Accountant.ofHeap(1, Long.MAX_VALUE)));
  }

  /**
   * Listens.
   *
   * @param handler makes the answers; throws nothing
   */
  public static HttpLoop listen(
      InetSocketAddress address, Handler handler, Bounds bounds, Place place) throws IOException {
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
    new ArrayList<>(connections).forEach(this::end);
    closeQuietly(server);
    closeQuietly(selector);
    workers.shutdownNow();
    turns.shutdownNow();
  }

  private void turn() throws IOException {
    if (unread.isEmpty()) {
      selector.select(untilNextDeadlineMillis());
    } else {
      selector.selectNow();
    }
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Connection connection) {
        serve(connection);
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
        serve(connection);
      }
    }
    for (Connection next = answered.poll(); next != null; next = answered.poll()) {
      if (connections.contains(next)) {
        next.answer(deadline(bounds.write));
        serve(next);
      } else {
        next.forget(); // its time was up before it was answered
      }
    }
    long now = System.nanoTime();
    for (Connection connection : new ArrayList<>(connections)) {
      if (connection.deadlineNanos - now <= 0) {
        overdue(connection);
      }
    }
  }

  private void overdue(Connection connection) {
    Further further = connection.further;
    if (connection.state == State.PAUSED && further != null) {
      goOn(connection, further);
      return;
    }
    if (connection.state == State.WAITING && further == null) {
      late(connection);
      return;
    }
    GrpcConnection grpc = connection.grpc;
    if (grpc == null || connection.state != State.HTTP2) {
      end(connection);
      return;
    }
    grpc.look();
    settle(connection, grpc);
  }

  /** A client whose answer is not made in time is told so; what is made of it later is let go. */
  private void late(Connection connection) {
    if (!connection.settle()) {
      connection.await(deadline(bounds.write)); // it has just been made, and is next
      return;
    }
    try {
      refuse(
          connection,
          503,
          "the answer took longer than "
              + bounds.write.toSeconds()
              + " s, since the process is busy; ask again");
    } catch (IOException | RuntimeException e) {
      end(connection); // the client has gone away
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

  private static long deadline(Duration time) {
    return System.nanoTime() + time.toNanos();
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
    if (connections.size() - http2Connections >= bounds.connections && !makeRoom()) {
      closeQuietly(channel);
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Connection connection = new Connection(clientOf(channel), deadline(bounds.read));
      connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
      connections.add(connection);
    } catch (IOException e) {
      closeQuietly(channel);
    }
  }

  private ClientChannel clientOf(SocketChannel channel) throws IOException {
    return tls == null ? new PlainChannel(channel) : new TlsChannel(channel, tls, forGrpc);
  }

  /**
   * A client with its answer has no more to lose; one whose answer is being made is not asked to
   * go.
   */
  private boolean makeRoom() {
    Connection slowest = null;
    for (Connection connection : connections) {
      if (connection.state == State.LINGERING && connection.grpc == null) {
        end(connection);
        return true;
      }
      boolean isItsTurn =
          switch (connection.state) {
            case READING, PROVING, WRITING -> true;
            default -> false;
          };
      if (isItsTurn && (slowest == null || connection.movedNanos - slowest.movedNanos < 0)) {
        slowest = connection;
      }
    }
    if (slowest != null) {
      end(slowest);
    }
    return slowest != null;
  }

  private void serve(Connection connection) {
    try {
      switch (connection.state) {
        case READING -> {
          while (read(connection) && connection.channel.hasMore()) {}
        }
        case PROVING -> {
          Upgrade link = connection.link;
          while (link != null && proof(connection, link) && connection.channel.hasMore()) {}
        }
        case WAITING -> hear(connection);
        case PAUSED -> listen(connection);
        case WRITING -> write(connection);
        case LINGERING -> linger(connection);
        case HTTP2 -> http2(connection);
      }
    } catch (IOException | RuntimeException e) {
      end(connection); // the client has gone away; nobody is left to be told
    }
  }

  /** Returns whether something has come, and more may. */
  private boolean read(Connection connection) throws IOException {
    int read = connection.channel.read(connection.head);
    if (read < 0) {
      end(connection);
      return false;
    }
    try {
      if (connection.body != null) {
        body(connection);
      } else {
        head(connection);
      }
    } catch (Request.Malformed e) {
      Request request = connection.request;
      refuse(
          connection,
          request == null
              ? refusal(e.status(), e.said())
              : handler.refused(request, e.status(), e.said()));
    } catch (RuntimeException | Error e) {
      if (e instanceof CancelledKeyException || connection.state == State.HTTP2) {
        throw e; // the client has gone away, or understands no answer of HTTP/1.1
      }
      refuse(connection, failed(e));
    }
    return read > 0 && connection.state == State.READING;
  }

  private void head(Connection connection) throws IOException, Request.Malformed {
    int length = connection.headLength();
    if (length == HTTP2_HEAD.length() && connection.text(length).equals(HTTP2_HEAD)) {
      preface(connection);
    } else if (length >= 0) {
      Request request = Request.head(connection.text(length));
      connection.request = request;
      connection.isSending = true;
      long bodyLength = request.bodyLength();
      if (bodyLength == 0) {
        connection.isSending = false;
        work(connection, request);
        return;
      }
      Answer refusal = handler.refusal(request);
      if (refusal != null) {
        refuse(connection, refusal);
        return;
      }
      int mostBytes = handler.mostBodyBytes(request);
      if (mostBytes == 0) {
        throw new Request.Malformed(413, "requests with a body are not taken");
      }
      connection.body = new Incoming(bodyLength, mostBytes, accountant.bodies());
      connection.deadlineNanos = deadline(bounds.write);
      if ("100-continue".equalsIgnoreCase(request.only("expect"))) {
        connection.channel.write(ByteBuffer.wrap(CONTINUE));
      }
      connection.bodyFrom(length + END.length);
      body(connection);
    } else if (connection.head.position() == MAX_HEAD_BYTES) {
      refuse(connection, 431, "a request has at most " + MAX_HEAD_BYTES + " bytes");
    } else if (!connection.head.hasRemaining()) {
      connection.grow();
    }
  }

  private void preface(Connection connection) throws IOException, Request.Malformed {
    int length = GrpcConnection.PREFACE.length();
    GrpcService service =
        handler.grpc(
            accountant.bodies(), (task, reply, busy) -> turnOf(connection, task, reply, busy));
    if (service == null) {
      throw new Request.Malformed(505, "only HTTP/1.1 is spoken here");
    }
    if (connection.head.position() < length) {
      return; // its rest is to come
    }
    if (!connection.text(length).equals(GrpcConnection.PREFACE)) {
      throw new Request.Malformed(400, "this is no preface of HTTP/2");
    }
    if (http2Connections >= MAX_HTTP2 && !makeRoomForHttp2()) {
      service.refused("more than " + MAX_HTTP2 + " connections at work");
      end(connection);
      return;
    }
    http2Connections++;
    GrpcConnection grpc =
        new GrpcConnection(
            connection.channel, connection.head.flip().position(length), service, bounds.grpc);
    connection.grpc = grpc;
    connection.state = State.HTTP2;
    grpc.begin();
    settle(connection, grpc);
  }

  private boolean makeRoomForHttp2() {
    Connection idlest = null;
    long lastNanos = 0;
    for (Connection connection : connections) {
      GrpcConnection grpc = connection.grpc;
      if (grpc != null && grpc.isIdle() && (idlest == null || grpc.lastNanos() - lastNanos < 0)) {
        idlest = connection;
        lastNanos = grpc.lastNanos();
      }
    }
    if (idlest != null && idlest.grpc != null) {
      idlest.grpc.leave();
      end(idlest);
    }
    return idlest != null;
  }

  private void http2(Connection connection) {
    GrpcConnection grpc = connection.grpc;
    if (grpc != null) {
      grpc.ready();
      settle(connection, grpc);
    }
  }

  /** The next thing to wait for. */
  private void settle(Connection connection, GrpcConnection grpc) {
    try {
      boolean flushed = connection.channel.flush();
      if (grpc.isOver()) {
        connection.channel.shutdownOutput();
        connection.linger(deadline(LINGER));
        return;
      }
      if (grpc.hasMore()) {
        unread.add(connection);
      }
      connection.serveHttp2(
          (grpc.wantsToRead() ? SelectionKey.OP_READ : 0)
              | (grpc.wantsToWrite() || !flushed ? SelectionKey.OP_WRITE : 0),
          grpc.deadlineNanos());
    } catch (IOException | RuntimeException e) {
      end(connection); // the client has gone away
    }
  }

  private void turnOf(
      Connection connection, Function<GrpcReply, Runnable> task, GrpcReply reply, Runnable busy) {
    long since = System.nanoTime();
    try {
      turns.execute(
          () -> {
            if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(TURN_SECONDS)) {
              tell(connection, busy);
            } else if (connection.channel.isOpen()) {
              tell(
                  connection,
                  accountant.count(
                      Accountant.Kind.OTLP, connection::hasGone, () -> made(task, reply)));
            }
          });
    } catch (RejectedExecutionException e) {
      busy.run();
    }
  }

  private static Runnable made(Function<GrpcReply, Runnable> task, GrpcReply reply) {
    try {
      return task.apply(reply);
    } catch (Throwable t) {
      Faults.caught(t);
      return () -> reply.refuse(GrpcRefusal.of(GrpcCode.INTERNAL, "Deimos failed: " + t));
    }
  }

  private void tell(Connection connection, Runnable answer) {
    tasks.add(
        () -> {
          GrpcConnection grpc = connection.grpc;
          if (grpc != null && connections.contains(connection)) {
            answer.run();
            http2(connection);
          }
        });
    selector.wakeup();
  }

  private void body(Connection connection) throws IOException, Request.Malformed {
    Incoming body = connection.body;
    Request request = connection.request;
    if (body == null || request == null) {
      return;
    }
    connection.head.flip();
    boolean whole = body.take(connection.head);
    connection.head.clear();
    if (whole) {
      connection.isSending = false;
      Request with = request.with(body.body());
      work(connection, with);
    } else if (connection.head.capacity() < MAX_HEAD_BYTES) {
      connection.head = ByteBuffer.allocate(MAX_HEAD_BYTES);
    }
  }

  private void work(Connection connection, Request request) throws IOException {
    connection.await(deadline(bounds.write));
    if (!handler.takesTurns(request)) {
      workers.execute(() -> answer(connection, request, Accountant.Kind.REQUESTS));
      return;
    }
    long since = System.nanoTime();
    try {
      turns.execute(() -> turnOf(connection, request, since));
    } catch (RejectedExecutionException e) {
      refuse(connection, handler.busy(request));
    }
  }

  /** On the thread that turns are taken on. */
  private void turnOf(Connection connection, Request request, long since) {
    if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(TURN_SECONDS)) {
      done(connection, handler.busy(request));
    } else {
      answer(connection, request, Accountant.Kind.OTLP);
    }
  }

  private void refuse(Connection connection, int status, String said) throws IOException {
    refuse(connection, refusal(status, said));
  }

  private void refuse(Connection connection, Answer refusal) throws IOException {
    connection.out = refusal.outgoing();
    connection.answer(deadline(bounds.write));
    write(connection);
  }

  private static Answer refusal(int status, String said) {
    Answer refusal = new Answer(null, AnswerMemory.unlimited());
    refusal.error(status, said);
    return refusal;
  }

  /** On a worker's thread. Nobody waits any more where the time was up before its turn came. */
  private void answer(Connection connection, Request request, Accountant.Kind kind) {
    if (connection.isSettled() || !connection.channel.isOpen()) {
      return;
    }
    Answer answer;
    try {
      answer = accountant.count(kind, connection::isUnwanted, () -> handler.handle(request));
    } catch (Throwable t) {
      answer = failed(t);
    }
    done(connection, answer);
  }

  private static Answer failed(Throwable failure) {
    Faults.caught(failure);
    return refusal(500, "Deimos failed while it made this answer: " + failure);
  }

  private void done(Connection connection, Answer answer) {
    Outgoing made = answer.outgoing();
    if (!connection.settle()) {
      made.end(); // its time was up, and the client has been told so
      return;
    }
    connection.out = made;
    answered.add(connection);
    selector.wakeup();
  }

  private void write(Connection connection) throws IOException {
    Outgoing out = connection.out;
    if (out == null) {
      end(connection); // there were no more parts
      return;
    }
    boolean whole = out.writeTo(connection.channel) && connection.channel.flush();
    if (out.hasMoved()) {
      connection.movedNanos = System.nanoTime();
    }
    if (whole) {
      Further begun = out.takeFurther();
      connection.forgetAnswer();
      if (begun != null) {
        connection.further = begun;
      }
      Further further = connection.further;
      if (further != null) {
        connection.pause(further.dueNanos());
        return;
      }
      Upgrade next = out.next();
      if (next != null) {
        connection.prove(next, deadline(bounds.read));
        serve(connection);
        return;
      }
      connection.channel.shutdownOutput();
      connection.linger(deadline(connection.isSending ? bounds.read : LINGER));
    }
  }

  /** The next part is due. */
  private void goOn(Connection connection, Further further) {
    connection.await(deadline(bounds.write));
    workers.execute(
        () -> {
          try {
            connection.out =
                accountant
                    .count(
                        Accountant.Kind.STREAMS,
                        connection::hasGone,
                        () -> Optional.ofNullable(further.next()))
                    .orElse(null);
          } catch (Throwable t) {
            Faults.caught(t);
          }
          answered.add(connection);
          selector.wakeup();
        });
  }

  /** A client that waits for its answer has nothing more to say, but may go. */
  private static void hear(Connection connection) throws IOException {
    connection.head.clear();
    int read = connection.channel.read(connection.head);
    connection.lingered += Math.max(0, read);
    if (read < 0) {
      connection.gone = true;
    }
    if (read < 0 || connection.lingered > MAX_LINGERED_BYTES) {
      connection.hearNoMore();
    }
  }

  /** A client that gets part after part has nothing to say, but may go. */
  private void listen(Connection connection) throws IOException {
    connection.head.clear();
    int read = connection.channel.read(connection.head);
    connection.lingered += Math.max(0, read);
    if (read < 0 || connection.lingered > MAX_LINGERED_BYTES) {
      end(connection);
    }
  }

  /** Returns whether something of the proof has come, and more may. */
  private boolean proof(Connection connection, Upgrade link) throws IOException {
    int read = connection.channel.read(connection.head);
    boolean whole = !connection.head.hasRemaining();
    if (whole && link.isProof(connection.head.array())) {
      handOver(connection, link);
    } else if (whole || read < 0) {
      end(connection);
    }
    return read > 0 && !whole;
  }

  /** From now on the connection is somebody else's. */
  private void handOver(Connection connection, Upgrade next) throws IOException {
    connections.remove(connection);
    if (connection.key != null) {
      connection.key.cancel();
    }
    connection.channel.socket().configureBlocking(true);
    next.take(connection.channel.handOver());
  }

  /** Closing while the client still sends would take back what it has not read yet. */
  private void linger(Connection connection) throws IOException {
    if (connection.isSending && connection.head.capacity() < MAX_HEAD_BYTES) {
      connection.head = ByteBuffer.allocate(MAX_HEAD_BYTES);
    }
    connection.head.clear();
    int read = connection.channel.socket().read(connection.head);
    connection.lingered += Math.max(0, read);
    int most = connection.isSending ? MAX_DRAINED_BYTES : MAX_LINGERED_BYTES;
    if (read < 0 || connection.lingered > most) {
      end(connection);
    }
  }

  private void end(Connection connection) {
    connection.state = State.LINGERING;
    connections.remove(connection);
    unread.remove(connection);
    GrpcConnection grpc = connection.grpc;
    if (grpc != null) {
      connection.grpc = null;
      http2Connections--;
      grpc.close();
    }
    connection.forget();
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
      thread.join(LINGER.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the answers. */
  public interface Handler {
    /** Throws nothing. */
    Answer handle(Request request);

    /** Why a request is refused whose body has not been read yet; null if it is not. */
    default @Nullable Answer refusal(Request head) {
      return null;
    }

    /** Whether a request waits for others like it, because one takes much time or memory. */
    default boolean takesTurns(Request request) {
      return false;
    }

    /** The answer to a request that would have to wait too long. Throws nothing. */
    default Answer busy(Request request) {
      return HttpLoop.refusal(503, "others are at it; ask again");
    }

    /** The answer to a request that is refused before its body is whole. Throws nothing. */
    default Answer refused(Request head, int status, String why) {
      return HttpLoop.refusal(status, why);
    }

    /**
     * Takes calls of gRPC; null if nothing does. Throws nothing.
     *
     * @param memory what messages take as they come
     * @param turns does what takes much time or memory
     */
    default @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
      return null;
    }

    /** How long the body of a request may be whose head has come; 0 if it must have none. */
    default int mostBodyBytes(Request head) {
      return 0;
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
  public record Place(@Nullable SSLContext tls, boolean forGrpc, Accountant accountant) {}

  private enum State {
    READING,
    HTTP2,
    WAITING,
    WRITING,
    PROVING,
    PAUSED,
    LINGERING
  }

  /** Belongs to the loop's thread, but for {@code out}, which a worker hands over. */
  private static final class Connection {
    private final ClientChannel channel;

    /** True once it is decided who answers: the worker, or the loop whose patience is over. */
    private final AtomicBoolean settled = new AtomicBoolean();

    private @Nullable SelectionKey key;
    private State state = State.READING;
    private long deadlineNanos;

    /** Since when it has been its turn to send, or to read more. */
    private long movedNanos = System.nanoTime();

    private ByteBuffer head = ByteBuffer.allocate(FIRST_HEAD_BYTES);
    private @Nullable Request request;
    private @Nullable Incoming body;
    private @Nullable GrpcConnection grpc;
    private @Nullable Further further;
    private @Nullable Upgrade link;
    private volatile @Nullable Outgoing out;

    /** Whether a body was to come that has not come whole. */
    private boolean isSending;

    /** Whether the client has said that it sends no more, and has most likely gone. */
    private volatile boolean gone;

    private int searched;
    private int lingered;

    Connection(ClientChannel channel, long deadlineNanos) {
      this.channel = channel;
      this.deadlineNanos = deadlineNanos;
    }

    /** True for the first of the two who may answer the request. */
    boolean settle() {
      return settled.compareAndSet(false, true);
    }

    boolean isSettled() {
      return settled.get();
    }

    /** Whether nobody waits for the answer any more. Asked by workers. */
    boolean isUnwanted() {
      return isSettled() || hasGone();
    }

    private boolean hasGone() {
      return gone || !channel.isOpen();
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

    /** The first of what has come. */
    String text(int length) {
      return new String(head.array(), 0, length, StandardCharsets.ISO_8859_1);
    }

    void serveHttp2(int interest, long deadline) {
      turn(State.HTTP2, interest, deadline);
    }

    void grow() {
      head = ByteBuffer.allocate(Math.min(MAX_HEAD_BYTES, 2 * head.capacity())).put(head.flip());
    }

    /** The bytes behind the head belong to the body. */
    void bodyFrom(int at) {
      head.flip().position(at);
      head.compact();
    }

    /** Gives back all that is there for this connection. */
    void forget() {
      forgetAnswer();
      Further more = further;
      if (more != null) {
        further = null;
        more.end();
      }
    }

    /** Gives back what the request's body takes, and the answer, if there is one. */
    private void forgetAnswer() {
      Incoming taken = body;
      if (taken != null) {
        taken.release();
        body = null;
      }
      Outgoing answer = out;
      if (answer != null) {
        answer.end();
        out = null;
      }
    }

    void await(long deadline) {
      turn(State.WAITING, gone ? 0 : SelectionKey.OP_READ, deadline);
    }

    /** Until the answer is there. */
    void hearNoMore() {
      turn(State.WAITING, 0, deadlineNanos);
    }

    void answer(long deadline) {
      movedNanos = System.nanoTime();
      turn(State.WRITING, SelectionKey.OP_WRITE, deadline);
    }

    /** Takes no more of it than the proof, which is the whole of what a link reads here. */
    void prove(Upgrade opened, long deadline) {
      link = opened;
      head = ByteBuffer.allocate(opened.proofBytes());
      movedNanos = System.nanoTime();
      turn(State.PROVING, SelectionKey.OP_READ, deadline);
    }

    void pause(long deadline) {
      turn(State.PAUSED, SelectionKey.OP_READ, deadline);
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
