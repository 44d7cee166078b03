// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorNotFound;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TypedStepsTest {
  /** One thread for the actors of the self-test, and others for those of the test. */
  private static final String CONFIG =
      """
      pekko.loglevel = "OFF"
      pekko.stdout-loglevel = "OFF"
      pekko.log-dead-letters = off
      pekko.actor.internal-dispatcher {
        executor = "thread-pool-executor"
        thread-pool-executor.fixed-pool-size = 1
      }
      of-test {
        executor = "thread-pool-executor"
        thread-pool-executor.fixed-pool-size = 2
      }
      """;

  private static final CountDownLatch AT_ONCE = new CountDownLatch(0);

  private final CountDownLatch held = new CountDownLatch(2);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final Queue<Object> dead = new ConcurrentLinkedQueue<>();

  /** Steps wait for nothing once the actor system ends, and so the next ones come too soon. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void run_actorSystemEndsMeanwhile_leavesNoDeadLetters() throws Exception {
    ExtendedActorSystem system =
        (ExtendedActorSystem)
            ActorSystem.create(
                "ending", ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load()));
    try {
      ActorRef listener =
          system
              .systemImpl()
              .systemActorOf(
                  Props.create(Listener.class, () -> new Listener(dead)).withDispatcher("of-test"),
                  "listener");
      system.getEventStream().subscribe(listener, DeadLetter.class);
      // There until the end of the test, and with it what Pekko has beside the user's actors.
      system.actorOf(
          Props.create(Held.class, () -> new Held(held, AT_ONCE, end)).withDispatcher("of-test"));
      // Has the one thread of the self-test's actors.
      system.actorOf(
          Props.create(Held.class, () -> new Held(held, go, AT_ONCE))
              .withDispatcher("pekko.actor.internal-dispatcher"));
      held.await();
      Steps steps = new Steps(() -> Set.of("ActorAdapter.handleMessage"), system, listener);
      Thread selfTest = new Thread(() -> TypedSteps.run(steps, system));
      selfTest.start();
      while (!isPatient(selfTest)) {
        Thread.onSpinWait();
      }
      system.terminate();
      selfTest.join();
      go.countDown();
      while (isThere(system, "/system/deimos-self-test-typed")) {
        Thread.onSpinWait();
      }
      CountDownLatch told = new CountDownLatch(1);
      listener.tell(told, ActorRef.noSender());
      told.await();
      assertThat(dead).isEmpty();
    } finally {
      go.countDown();
      end.countDown();
      system.terminate();
    }
  }

  private static boolean isPatient(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(Patience.class.getName()));
  }

  private static boolean isThere(ActorSystem system, String path) throws InterruptedException {
    try {
      system.actorSelection(path).resolveOne(Duration.ofSeconds(90)).toCompletableFuture().get();
      return true;
    } catch (ExecutionException e) {
      return !(e.getCause() instanceof ActorNotFound);
    }
  }

  /** Keeps its thread until it may start, and again until it may stop. */
  private static final class Held extends AbstractActor {
    private final CountDownLatch isHeld;
    private final CountDownLatch start;
    private final CountDownLatch stop;

    Held(CountDownLatch isHeld, CountDownLatch start, CountDownLatch stop) {
      this.isHeld = isHeld;
      this.start = start;
      this.stop = stop;
    }

    @Override
    public void preStart() throws InterruptedException {
      isHeld.countDown();
      start.await();
    }

    @Override
    public void postStop() throws InterruptedException {
      stop.await();
    }

    @Override
    public Receive createReceive() {
      return emptyBehavior();
    }
  }

  private static final class Listener extends AbstractActor {
    private final Queue<Object> dead;

    Listener(Queue<Object> dead) {
      this.dead = dead;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(DeadLetter.class, letter -> dead.add(letter.message()))
          .match(CountDownLatch.class, CountDownLatch::countDown)
          .build();
    }
  }
}
