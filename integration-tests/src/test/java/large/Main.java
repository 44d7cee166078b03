// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/**
 * {@code <actors> <classes> <incidents>}: makes so many actors of so many classes, has some of them
 * work all the time, and has so many things go wrong: half of them failures, a quarter each ask
 * time-outs and dead letters. For each line of input it prints what is in use; it ends with the
 * input.
 */
public final class Main {
  private static final int SHELF = 1_000;
  private static final int BUSY = 200;
  private static final int ORDERS_PER_SECOND = 1_000;
  private static final int INCIDENTS_PER_SECOND = 1_000;
  private static final int HOPS = 3;
  private static final int WAITING = 5_000;
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private static final String SETTINGS =
      """
      pekko.loglevel = OFF
      pekko.stdout-loglevel = OFF
      pekko.log-dead-letters = off
      slow { executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 1 }
      """;

  private Main() {}

  public static void main(String[] args) throws Exception {
    long begun = System.nanoTime();
    ActorSystem system =
        ActorSystem.create(
            "large", ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()));
    AtomicReferenceArray<ActorRef> workers =
        workers(system, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    System.out.println("@made " + (System.nanoTime() - begun) / 1_000_000);
    List<ActorRef> busy = new ArrayList<>();
    for (int i = 0; i < BUSY; i++) {
      busy.add(workers.get((int) ((long) i * workers.length() / BUSY)));
    }
    Worker.handOnTo(busy);
    ActorRef slow =
        system.actorOf(Props.create(Slow.class, Slow::new).withDispatcher("slow"), "slow");
    for (int i = 0; i < WAITING; i++) {
      slow.tell(new Worker.Order(i, 0), busy.get(0));
    }
    daemon("orders", () -> orders(workers, busy));
    int incidents = Integer.parseInt(args[2]);
    daemon("incidents", () -> incidents(system, workers, incidents));
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (input.readLine() != null) {
      System.out.println("@uses " + heapKib() + " KiB " + agentMillis() + " ms");
    }
    System.exit(0);
  }

  private static AtomicReferenceArray<ActorRef> workers(ActorSystem system, int number, int classes)
      throws Exception {
    ActorClasses made = new ActorClasses();
    List<Props> kinds = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      kinds.add(Props.create(made.number(i)));
    }
    AtomicReferenceArray<ActorRef> workers = new AtomicReferenceArray<>(number);
    CountDownLatch done = new CountDownLatch((number + SHELF - 1) / SHELF);
    for (int from = 0; from < number; from += SHELF) {
      system
          .actorOf(Props.create(Shelf.class, Shelf::new), "shelf-" + from / SHELF)
          .tell(
              new Shelf.Fill(kinds, from, Math.min(number, from + SHELF), workers, done),
              ActorRef.noSender());
    }
    done.await();
    return workers;
  }

  private static void daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Nine of ten go to busy workers, which are few. */
  private static void orders(AtomicReferenceArray<ActorRef> workers, List<ActorRef> busy) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; true; i++) {
      ActorRef to =
          random.nextInt(10) == 0
              ? workers.get(random.nextInt(workers.length()))
              : busy.get(random.nextInt(BUSY));
      to.tell(new Worker.Order(i, HOPS), ActorRef.noSender());
      pause(ORDERS_PER_SECOND);
    }
  }

  private static void incidents(
      ActorSystem system, AtomicReferenceArray<ActorRef> workers, int number) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    ActorRef gone = system.actorOf(Props.create(Shelf.class, Shelf::new), "gone");
    system.stop(gone);
    for (int i = 0; i < number; i++) {
      ActorRef worker = workers.get(random.nextInt(workers.length()));
      switch (i % 4) {
        case 0 -> {
          var unused = Patterns.ask(worker, new Worker.Question(i), TIMEOUT);
        }
        case 1 -> gone.tell(new Worker.Order(i, 0), worker);
        default -> worker.tell(new Worker.Fail(i), ActorRef.noSender());
      }
      pause(INCIDENTS_PER_SECOND);
    }
    System.out.println("@incidents " + number);
  }

  private static void pause(int perSecond) {
    LockSupport.parkNanos(1_000_000_000L / perSecond);
  }

  private static long heapKib() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 2; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least / 1024;
  }

  private static long agentMillis() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && info.getThreadName().startsWith("deimos")) {
        nanos += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
      }
    }
    return nanos / 1_000_000;
  }
}
