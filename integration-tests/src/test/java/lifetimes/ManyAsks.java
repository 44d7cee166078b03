// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.pattern.Patterns;

/**
 * {@code <number> <KiB>}: asks so many times, a thousand at once, and has every answer. Prints by
 * how much the heap has grown then, and waits for a line.
 */
public final class ManyAsks {
  private static final int AT_ONCE = 1000;

  /** Pekko forgets an ask that has its answer when its time-out comes up. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private ManyAsks() {}

  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[0]);
    ActorSystem system = ActorSystem.create("lifetimes", ConfigFactory.load());
    ActorRef answerer = system.actorOf(Answerer.props(), "answerer");
    ask(answerer, AT_ONCE); // so that all classes are loaded
    long before = Heap.kib();
    System.out.println("@answered " + ask(answerer, number));
    System.out.println("@grown " + Heap.grownKib(before, Long.parseLong(args[1])));
    int unused = System.in.read();
    System.exit(0);
  }

  private static int ask(ActorRef answerer, int number) throws InterruptedException {
    Semaphore room = new Semaphore(AT_ONCE);
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < number; i++) {
      room.acquire();
      CompletableFuture<?> unused =
          Patterns.ask(answerer, "question", TIMEOUT)
              .toCompletableFuture()
              .whenComplete(
                  (answer, error) -> {
                    if (error == null) {
                      answered.incrementAndGet();
                    }
                    room.release();
                  });
    }
    room.acquire(AT_ONCE);
    return answered.get();
  }
}
