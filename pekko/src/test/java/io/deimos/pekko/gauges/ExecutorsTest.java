// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.recorder.counts.Readings;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.dispatch.Dispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutorsTest {
  private static final int LOOKS = 2000;

  private final ActorSystem system =
      ActorSystem.create(
          "executors",
          ConfigFactory.parseString(
                  """
                  pooled {
                    executor = thread-pool-executor
                    thread-pool-executor.fixed-pool-size = 50
                    throughput = 1
                  }
                  """)
              .withFallback(ConfigFactory.load()));

  @AfterEach
  void end() {
    system.terminate();
  }

  @Test
  void read_fixedPoolWithOneQuietActor_startsNoThread() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ActorRef quiet =
        system.actorOf(
            Props.create(Quiet.class, () -> new Quiet(taken)).withDispatcher("pooled"), "quiet");
    quiet.tell("wake up", ActorRef.noSender());
    taken.await();
    ThreadPoolExecutor pool = pool();
    int before = pool.getLargestPoolSize();
    Executors executors = new Executors((ExtendedActorSystem) system);
    for (int i = 0; i < LOOKS; i++) {
      executors.read(new Readings());
    }
    assertThat(pool.getLargestPoolSize()).isEqualTo(before);
  }

  private ThreadPoolExecutor pool() throws ReflectiveOperationException {
    Dispatcher dispatcher = (Dispatcher) system.dispatchers().lookup("pooled");
    Object delegate = dispatcher.executorService();
    Object executor = Reflect.lazy(delegate, "executor");
    return (ThreadPoolExecutor) java.util.Objects.requireNonNull(executor);
  }

  /** Takes one message. */
  static final class Quiet extends AbstractActor {
    private final CountDownLatch taken;

    Quiet(CountDownLatch taken) {
      this.taken = taken;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> taken.countDown()).build();
    }
  }
}
