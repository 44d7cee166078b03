// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order in which compression tables change. */
class TableChangesTest {
  private static final int CHANGES = 10_000;

  /** While the lane encodes, changes gather; then they come in the order they were asked for. */
  @Test
  void make_manyOnSeveralThreads_areMadeInOrder() {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      Object encoding = new Object();
      TableChanges changes = new TableChanges(pool, encoding);
      List<Integer> made = new ArrayList<>();
      List<CompletableFuture<?>> ends = new ArrayList<>();
      for (int i = 0; i < CHANGES; i++) {
        int number = i;
        ends.add(changes.make(() -> made.add(number)));
      }
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
          .orTimeout(90, TimeUnit.SECONDS)
          .join();
      assertThat(made).isEqualTo(IntStream.range(0, CHANGES).boxed().toList());
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void make_oneThrows_othersAreStillMade() {
    TableChanges changes = new TableChanges(Runnable::run, new Object());
    List<Integer> made = new ArrayList<>();
    CompletableFuture<?> bad =
        changes.make(
            () -> {
              throw new IllegalStateException("as intended");
            });
    CompletableFuture<?> good = changes.make(() -> made.add(1));
    assertThat(bad).isCompletedExceptionally();
    assertThat(good).isCompleted();
    assertThat(made).containsExactly(1);
  }

  @Test
  void make_systemIsDown_failsEach() {
    TableChanges changes =
        new TableChanges(
            step -> {
              throw new RejectedExecutionException("down");
            },
            new Object());
    assertThat(changes.make(() -> {})).isCompletedExceptionally();
    assertThat(changes.make(() -> {})).isCompletedExceptionally();
  }
}
