// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentThreadTest {
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  @Test
  void start_task_hasNothingOfItsMaker() throws InterruptedException {
    INHERITED.set("the maker's");
    List<Object> seen = new ArrayList<>();
    Thread thread =
        AgentThread.start("deimos-test", () -> seen.add(String.valueOf(INHERITED.get())));
    thread.join();
    INHERITED.remove();
    assertThat(seen).containsExactly("null");
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
  }

  @Test
  void start_taskThatFails_isAFaultAndNobodysUncaughtException() throws InterruptedException {
    List<Throwable> uncaught = new ArrayList<>();
    long faults = Faults.count();
    Thread thread =
        AgentThread.make(
            "deimos-test",
            () -> {
              throw new InternalError("of a thread");
            });
    thread.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
    thread.start();
    thread.join();
    assertThat(uncaught).isEmpty();
    assertThat(Faults.count()).isEqualTo(faults + 1);
    assertThat(Faults.all()).anyMatch(fault -> fault.what().contains("of a thread"));
  }

  @Test
  void running_whileAThreadRuns_countsIt() throws InterruptedException {
    int before = AgentThread.running();
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread thread =
        AgentThread.start(
            "deimos-test",
            () -> {
              runs.countDown();
              await(mayEnd);
            });
    await(runs);
    assertThat(AgentThread.running()).isEqualTo(before + 1);
    mayEnd.countDown();
    thread.join();
    assertThat(AgentThread.running()).isEqualTo(before);
  }

  @Test
  void factory_threadsOfAPool_areNumbered() throws InterruptedException {
    List<String> names = new ArrayList<>();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            AgentThread.factory("deimos-test"));
    pool.execute(() -> names.add(Thread.currentThread().getName()));
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(names).containsExactly("deimos-test-1");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(90, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
