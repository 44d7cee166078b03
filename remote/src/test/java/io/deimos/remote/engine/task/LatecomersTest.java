// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lanes look into their queues by themselves, all of them together. */
class LatecomersTest {
  private static final int LANES = 100;

  /** The tasks that are due, and when. */
  private record Due(Duration at, Runnable task) {}

  private final List<Due> due = new ArrayList<>();
  private Duration now = Duration.ZERO;
  private final Latecomers latecomers =
      new Latecomers((pause, task) -> due.add(new Due(now.plus(pause), task)));

  private void advance(Duration by) {
    Duration until = now.plus(by);
    while (true) {
      Due next = due.stream().min(Comparator.comparing(Due::at)).orElse(null);
      if (next == null || next.at().compareTo(until) > 0) {
        now = until;
        return;
      }
      due.remove(next);
      now = next.at();
      next.task().run();
    }
  }

  @Test
  void look_afterTheStart_comesSoonThenOnceASecond() {
    List<Duration> looks = new ArrayList<>();
    latecomers.add(() -> looks.add(now));
    advance(Duration.ofMillis(2500));
    assertThat(looks)
        .extracting(Duration::toMillis)
        .containsExactly(2L, 10L, 42L, 170L, 682L, 1000L, 2000L);
  }

  @Test
  void looks_ofManyLanes_shareOneTimer() {
    AtomicInteger looks = new AtomicInteger();
    List<Runnable> lanes = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      lanes.add(
          new Runnable() {
            @Override
            public void run() {
              looks.incrementAndGet();
            }
          });
    }
    lanes.forEach(latecomers::add);
    advance(Duration.ofSeconds(2));
    assertThat(due).hasSize(1);
    int before = looks.get();
    advance(Duration.ofSeconds(1));
    assertThat(looks).hasValue(before + LANES);
    lanes.forEach(latecomers::remove);
    advance(Duration.ofSeconds(1));
    assertThat(looks).hasValue(before + LANES);
    assertThat(due).isEmpty();
  }

  @Test
  void add_afterAllHaveGone_sweepsAgain() {
    Runnable first = () -> {};
    latecomers.add(first);
    latecomers.remove(first);
    advance(Duration.ofSeconds(5));
    assertThat(due).isEmpty();
    AtomicInteger looks = new AtomicInteger();
    latecomers.add(looks::incrementAndGet);
    advance(Duration.ofSeconds(3));
    assertThat(looks.get()).isGreaterThan(5);
  }
}
