// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whether a sender has stack enough to write by itself. */
class StackRoomTest {
  private int depth;

  @Test
  void isEnough_freshStack_isTrue() {
    assertThat(StackRoom.isEnough()).isTrue();
  }

  /** It says so before the stack overflows. */
  @Test
  void isEnough_deeperAndDeeper_turnsFalseBeforeTheEnd() throws InterruptedException {
    boolean[] overflown = {false};
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                descend();
              } catch (StackOverflowError e) {
                overflown[0] = true;
              }
            },
            "deep",
            512 * 1024);
    thread.start();
    thread.join();
    assertThat(overflown[0]).isFalse();
    assertThat(depth).isGreaterThan(10);
  }

  private void descend() {
    depth++;
    if (StackRoom.isEnough()) {
      descend();
    }
  }
}
