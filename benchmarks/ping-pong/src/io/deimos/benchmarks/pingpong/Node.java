// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;

/**
 * A JVM of the benchmark. Rounds are given as {@code clients:window:messages}, with {@code :seconds}
 * if they are to be repeated for so long, and until the compilers are done, and not told; of each
 * other it prints
 * {@code RESULT clients window msgs_per_s cpu_ns_per_msg bytes_per_msg p50_ns p99_ns}; the last two
 * are of round trips and 0 unless these are timed. Messages are counted both ways.
 *
 * <p>{@code both} runs the two systems here; {@code echo} runs the answering one and prints its
 * address; {@code client} runs the asking one against such an address.
 */
final class Node {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int END_SECONDS = 15;
  private static final boolean TABLES = Boolean.getBoolean("tables");
  private static final boolean IDLE = Boolean.getBoolean("idle");
  private static final int PAYLOAD_BYTES = Integer.getInteger("payload", 0);
  private static final String MESSAGE = PAYLOAD_BYTES == 0 ? "hit" : "x".repeat(PAYLOAD_BYTES);
  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  /** Above this share of a round the compilers are not done: that much of a core is not the transport's. */
  private static final double COMPILING = 0.1;

  /** After so many times the seconds asked for, they are taken for done. */
  private static final int MAX_WARM_UPS = 3;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private Node() {}

  public static void main(String[] arguments) {
    try {
      run(arguments);
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1); // the systems' threads would keep the JVM, and whoever waits for it, for ever
    }
  }

  private static void run(String[] arguments) throws Exception {
    String role = arguments[0];
    Transport transport = Transport.of(arguments[1]);
    if (role.equals("echo")) {
      echo(transport);
      return;
    }
    if (transport == Transport.FLOOR) {
      floor(arguments[arguments.length - 1].split(":"));
      return;
    }
    String peer = role.equals("client") ? arguments[2] : null;
    for (int i = peer == null ? 2 : 3; i < arguments.length; i++) {
      String[] round = arguments[i].split(":");
      boolean warmUp = round.length > 3;
      long nanos = warmUp ? TimeUnit.SECONDS.toNanos(Integer.parseInt(round[3])) : 0;
      long start = System.nanoTime();
      long compiledMillis;
      long roundStart;
      do {
        roundStart = System.nanoTime();
        compiledMillis = COMPILERS.getTotalCompilationTime();
        round(
            transport,
            peer,
            Integer.parseInt(round[0]),
            Integer.parseInt(round[1]),
            Integer.parseInt(round[2]),
            warmUp);
      } while (warmUp
          && isToGoOn(
              System.nanoTime() - start,
              nanos,
              COMPILERS.getTotalCompilationTime() - compiledMillis,
              System.nanoTime() - roundStart));
    }
    System.exit(0);
  }

  private static void floor(String[] round) throws Exception {
    if (!IDLE) {
      throw new IllegalArgumentException("floor is for --case idle alone");
    }
    int count = Integer.parseInt(round[2]);
    Floor.roundTrips(count, PAUSE_NANOS); // not counted: the code is new
    OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = os.getProcessCpuTime();
    long start = System.nanoTime();
    long[] trips = percentiles(Floor.roundTrips(count, PAUSE_NANOS));
    long nanos = System.nanoTime() - start;
    cpu = os.getProcessCpuTime() - cpu;
    System.out.printf(
        "RESULT %s %s %.0f %.0f 0 %d %d%n",
        round[0],
        round[1],
        2e9 * count / nanos,
        cpu / (2.0 * count),
        trips[0],
        trips[1]);
  }

  /** Whether there has to be one more round that is not told. */
  private static boolean isToGoOn(
      long passedNanos, long leastNanos, long compiledMillis, long roundNanos) {
    boolean compiles = TimeUnit.MILLISECONDS.toNanos(compiledMillis) > roundNanos * COMPILING;
    return passedNanos < leastNanos || (compiles && passedNanos < leastNanos * MAX_WARM_UPS);
  }

  private static void echo(Transport transport) throws Exception {
    ActorSystem system = ActorSystem.create("echo", transport.config(100_000, TABLES, PAYLOAD_BYTES));
    for (int i = 0; i < 30; i++) {
      system.actorOf(Props.create(Echo.class), "echo" + i);
    }
    System.out.println("ADDRESS " + address(system));
    while (System.in.read() >= 0) {
      // until the parent is gone
    }
    System.exit(0);
  }

  private static String address(ActorSystem system) {
    Address address = ((ExtendedActorSystem) system).provider().getDefaultAddress();
    return address.toString();
  }

  private static void round(
      Transport transport,
      String peer,
      int clients,
      int window,
      int messages,
      boolean warmUp)
      throws Exception {
    int queue = Math.max(3072, clients * window * 2);
    ActorSystem echoes = null;
    String address = peer;
    if (peer == null) {
      echoes = ActorSystem.create("echo", transport.config(queue, TABLES, PAYLOAD_BYTES));
      for (int i = 0; i < clients; i++) {
        echoes.actorOf(Props.create(Echo.class), "echo" + i);
      }
      address = address(echoes);
    }
    ActorSystem system = ActorSystem.create("client", transport.config(queue, TABLES, PAYLOAD_BYTES));
    List<ActorRef> echoRefs = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      echoRefs.add(
          system
              .actorSelection(address + "/user/echo" + i)
              .resolveOne(PATIENCE)
              .toCompletableFuture()
              .get());
    }
    if (TABLES) {
      warm(system, echoRefs, window, 20_000);
      TimeUnit.MILLISECONDS.sleep(4500); // two advertisements
    }
    OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = os.getProcessCpuTime();
    long allocated = allocated();
    long start = System.nanoTime();
    long[] trips = {0, 0};
    if (IDLE) {
      trips = roundTrips(system, echoRefs.get(0), messages);
    } else {
      warm(system, echoRefs, window, messages);
    }
    long nanos = System.nanoTime() - start;
    cpu = os.getProcessCpuTime() - cpu;
    allocated = allocated() - allocated;
    double total = 2.0 * clients * messages;
    if (!warmUp) {
      System.out.printf(
          "RESULT %d %d %.0f %.0f %.0f %d %d%n",
          clients,
          window,
          total / nanos * 1e9,
          cpu / total,
          allocated / total,
          trips[0],
          trips[1]);
    }
    end(system);
    if (echoes != null) {
      end(echoes);
    }
  }

  /** Artery's own TLS can keep a system from stopping for ever; the next round has its own. */
  private static void end(ActorSystem system) throws Exception {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(END_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      System.err.println(system.name() + " has not stopped within " + END_SECONDS + " s");
    }
  }

  private static void warm(ActorSystem system, List<ActorRef> echoes, int window, int messages)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(echoes.size());
    List<ActorRef> clients = new ArrayList<>();
    for (ActorRef echo : echoes) {
      clients.add(system.actorOf(Props.create(Client.class, echo, window, messages, done)));
    }
    clients.forEach(client -> client.tell("go", ActorRef.noSender()));
    if (!done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          done.getCount() + " clients are not done: messages were lost");
    }
    clients.forEach(system::stop);
  }

  /** The 50th and the 99th percentile of the time to an answer on an idle connection. */
  private static long[] roundTrips(ActorSystem system, ActorRef echo, int count)
      throws InterruptedException {
    SynchronousQueue<Long> answers = new SynchronousQueue<>();
    ActorRef client = system.actorOf(Props.create(Timed.class, echo, answers));
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      client.tell("go", ActorRef.noSender());
      Long took = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (took == null) {
        throw new IllegalStateException("a message was lost");
      }
      nanos[i] = took;
    }
    return percentiles(nanos);
  }

  private static long[] percentiles(long[] nanos) {
    Arrays.sort(nanos);
    return new long[] {nanos[nanos.length / 2], nanos[nanos.length * 99 / 100]};
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }

  /** Sends back what it gets. */
  static final class Echo extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> getSender().tell(message, getSelf())).build();
    }
  }

  /** Sends one message when told to, and says how long the answer took. */
  static final class Timed extends AbstractActor {
    private final ActorRef echo;
    private final SynchronousQueue<Long> answers;
    private long sentNanos;

    Timed(ActorRef echo, SynchronousQueue<Long> answers) {
      this.echo = echo;
      this.answers = answers;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals(
              "go",
              go -> {
                sentNanos = System.nanoTime();
                echo.tell(MESSAGE, getSelf());
              })
          .matchAny(answer -> answers.put(System.nanoTime() - sentNanos))
          .build();
    }
  }

  /** Keeps a window of messages under way until all have come back. */
  static final class Client extends AbstractActor {
    private final ActorRef echo;
    private final int window;
    private final CountDownLatch done;
    private int toSend;
    private int toReceive;

    Client(ActorRef echo, int window, int messages, CountDownLatch done) {
      this.echo = echo;
      this.window = window;
      this.done = done;
      toSend = messages;
      toReceive = messages;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals(
              "go",
              go -> {
                for (int i = 0; i < window && toSend > 0; i++) {
                  send();
                }
              })
          .matchAny(
              answer -> {
                if (toSend > 0) {
                  send();
                }
                if (--toReceive == 0) {
                  done.countDown();
                }
              })
          .build();
    }

    private void send() {
      toSend--;
      echo.tell(MESSAGE, getSelf());
    }
  }
}
