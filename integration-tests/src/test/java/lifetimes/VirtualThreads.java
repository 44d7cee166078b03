// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import com.typesafe.config.ConfigFactory;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/**
 * {@code asks <number> <KiB>}: so many virtual threads ask one actor and wait for its answer.
 * {@code actors <number> <KiB>}: so many actors on virtual threads wait in the middle of their
 * second message. Prints by how much the heap grows while all of them wait, and how many were
 * answered.
 */
public final class VirtualThreads {
  private static final Duration LONG = Duration.ofMinutes(5);

  private VirtualThreads() {}

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[1]);
    long most = Long.parseLong(args[2]);
    ActorSystem system =
        ActorSystem.create(
            "lifetimes",
            ConfigFactory.parseString("virtual { executor = virtual-thread-executor }")
                .withFallback(ConfigFactory.load()));
    if (args[0].equals("asks")) {
      asks(system, number, most);
    } else {
      actors(system, number, most);
    }
    System.exit(0);
  }

  private static void asks(ActorSystem system, int number, long most) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(number);
    AtomicInteger answered = new AtomicInteger();
    ActorRef held = system.actorOf(Props.create(Holder.class, () -> new Holder(asked)), "holder");
    long before = Heap.kib();
    try (Virtual threads = new Virtual()) {
      for (int i = 0; i < number; i++) {
        threads.run(
            () -> {
              Patterns.ask(held, "question", LONG).toCompletableFuture().get();
              answered.incrementAndGet();
            });
      }
      asked.await();
      System.out.println("@grown " + Heap.grownKib(before, most));
      go.countDown();
      held.tell(Holder.ANSWER, ActorRef.noSender());
      threads.await();
    }
    System.out.println("@answered " + answered.get());
  }

  private static void actors(ActorSystem system, int number, long most) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(number);
    CountDownLatch done = new CountDownLatch(number);
    long before = Heap.kib();
    for (int i = 0; i < number; i++) {
      ActorRef actor =
          system.actorOf(
              Props.create(Blocked.class, () -> new Blocked(go, waiting, done))
                  .withDispatcher("virtual"));
      actor.tell(1, ActorRef.noSender());
      actor.tell(2, ActorRef.noSender());
    }
    waiting.await();
    System.out.println("@grown " + Heap.grownKib(before, most));
    go.countDown();
    done.await();
    System.out.println("@answered " + (number - done.getCount()));
  }

  /** Keeps all questions until it is told to answer. */
  static final class Holder extends AbstractActor {
    static final Object ANSWER = List.of();

    private final List<ActorRef> askers = new ArrayList<>();
    private final CountDownLatch asked;

    Holder(CountDownLatch asked) {
      this.asked = asked;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(String.class, this::hold)
          .match(List.class, m -> askers.forEach(asker -> asker.tell("answer", getSelf())))
          .build();
    }

    private void hold(String question) {
      askers.add(getSender());
      asked.countDown();
    }
  }

  /** Waits in the middle of its second message. */
  static final class Blocked extends AbstractActor {
    private final CountDownLatch go;
    private final CountDownLatch waiting;
    private final CountDownLatch done;

    Blocked(CountDownLatch go, CountDownLatch waiting, CountDownLatch done) {
      this.go = go;
      this.waiting = waiting;
      this.done = done;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Integer.class, this::work).build();
    }

    private void work(int number) throws InterruptedException {
      if (number == 2) {
        waiting.countDown();
        go.await();
        done.countDown();
      }
    }
  }

  /** Virtual threads, which this program is not compiled for. */
  private static final class Virtual implements AutoCloseable {
    private final ExecutorService executor;

    Virtual() throws ReflectiveOperationException {
      Method made = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      executor = (ExecutorService) made.invoke(null);
    }

    void run(Task task) {
      executor.execute(
          () -> {
            try {
              task.run();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }

    void await() throws InterruptedException {
      executor.shutdown();
      if (!executor.awaitTermination(2, TimeUnit.MINUTES)) {
        throw new IllegalStateException("not all were answered");
      }
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  private interface Task {
    void run() throws Exception;
  }
}
