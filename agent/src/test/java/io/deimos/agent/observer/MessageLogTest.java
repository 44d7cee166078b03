// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MessageLogTest {
  private final MessageLog log = new MessageLog(1);
  private final long[] record = new long[MessageLog.LONGS];

  private void add(long number) {
    log.add(number, number, number, (int) number, 7, number, number, number, 3, false);
  }

  @Test
  void copy_aRecord_isWhatWasWritten() {
    log.add(1, 2, 3, 4, 5, 60, 70, 80, 9, true);
    assertThat(log.copy(0, record)).isTrue();
    assertThat(record)
        .containsExactly(1, 2, 3, 4L << 32 | 5, 60, 70, 80L << 24 | 9 << 8 | MessageLog.FAILED);
  }

  @Test
  void copy_whatWasWrittenOver_isRefused() {
    for (int i = 0; i < log.capacity() + 10; i++) {
      add(i);
    }
    assertThat(log.copy(10, record)).isFalse(); // its place is the next to be written
    assertThat(log.copy(11, record)).isTrue();
    assertThat(record[0]).isEqualTo(11);
    assertThat(log.bytes()).isEqualTo((long) log.capacity() * MessageLog.RECORD_BYTES);
  }

  @Test
  void bytes_littleWritten_isLittle() {
    MessageLog large = new MessageLog(64 << 20);
    assertThat(large.bytes()).isZero();
    large.add(1, 2, 3, 4, 5, 6, 7, 8, 9, false);
    assertThat(large.bytes()).isLessThan(1 << 20);
  }

  @Test
  void copy_whileItIsWritten_isWholeOrRefused() throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong taken = new AtomicLong();
    AtomicLong torn = new AtomicLong();
    Thread reader =
        new Thread(
            () -> {
              while (!ended.get()) {
                long number = log.written() - log.capacity() + 1;
                if (number >= 0 && log.copy(number, record)) {
                  taken.incrementAndGet();
                  boolean whole = record[0] == number && record[2] == number && record[5] == number;
                  torn.addAndGet(whole ? 0 : 1);
                }
              }
            });
    reader.start();
    for (long i = 0; i < 2_000_000 || (taken.get() == 0 && i < 200_000_000); i++) {
      add(i);
    }
    ended.set(true);
    reader.join();
    assertThat(taken.get()).isPositive();
    assertThat(torn.get()).isZero();
  }
}
