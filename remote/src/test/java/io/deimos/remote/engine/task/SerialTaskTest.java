// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The right to run, without threads; with them it is in the benchmarks' SerialTaskStress. */
class SerialTaskTest {
  private final AtomicInteger submitted = new AtomicInteger();
  private final SerialTask task = new SerialTask(submitted::incrementAndGet);

  @Test
  void wake_idle_submitsOnce() {
    task.wake();
    task.wake();
    task.wake();
    assertThat(submitted).hasValue(1);
    assertThat(task.isIdle()).isFalse();
  }

  @Test
  void finish_nothingCame_isIdle() {
    task.wake();
    task.finish();
    assertThat(task.isIdle()).isTrue();
    assertThat(submitted).hasValue(1);
  }

  @Test
  void finish_wokenDuringTheRun_submitsOnceMore() {
    task.wake();
    task.wake();
    task.wake();
    task.finish();
    assertThat(submitted).hasValue(2);
    task.finish();
    assertThat(task.isIdle()).isTrue();
    assertThat(submitted).hasValue(2);
  }

  @Test
  void tryClaim_idle_givesTheRightToOneOnly() {
    assertThat(task.tryClaim()).isTrue();
    assertThat(task.tryClaim()).isFalse();
    assertThat(submitted).hasValue(0);
  }

  @Test
  void tryRelease_wokenDuringTheRun_keepsTheRight() {
    assertThat(task.tryClaim()).isTrue();
    task.wake();
    assertThat(task.tryRelease()).isFalse();
    assertThat(task.tryRelease()).isTrue();
    assertThat(task.tryClaim()).isTrue();
  }
}
