// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MessageLogTest {
  private final MessageLog log = new MessageLog(1);
  private final MessageRecord record = new MessageRecord();

  private static MessageRecord record(long number) {
    return new MessageRecord()
        .span(number, number, number, number)
        .actors((int) number, 2, 7, 1)
        .times(number, number, number)
        .message(3, Origin.TOLD, false);
  }

  private void add(long number) {
    log.add(record(number));
  }

  @Test
  void copy_aRecord_isWhatWasWritten() {
    MessageRecord written =
        new MessageRecord()
            .span(-1, 2, 3, 4)
            .actors(-5 >>> 1, 16_383, 6, 16_382)
            .times(160, 70, 80)
            .message(65_535, Origin.OUTSIDE, true);
    log.add(written);
    assertThat(log.copy(0, record)).isTrue();
    assertThat(record.longs).isEqualTo(written.longs);
    assertThat(record.traceHi()).isEqualTo(-1);
    assertThat(record.parentId()).isEqualTo(4);
    assertThat(record.sender()).isEqualTo(-5 >>> 1);
    assertThat(record.senderKind()).isEqualTo(16_383);
    assertThat(record.receiver()).isEqualTo(6);
    assertThat(record.receiverKind()).isEqualTo(16_382);
    assertThat(record.waitNanos()).isEqualTo(160);
    assertThat(record.end()).isEqualTo(150);
    assertThat(record.messageClass()).isEqualTo(65_535);
    assertThat(record.origin()).isEqualTo(Origin.OUTSIDE);
    assertThat(record.hasFailed()).isTrue();
  }

  @Test
  void record_usedAgain_hasNothingOfTheOneBefore() {
    MessageRecord used =
        record(3).times(1L << 50, 2, 1L << 50).message(9, Origin.TIMER, true).times(-1, 5, 6);
    assertThat(used.waitNanos()).isEqualTo(-1);
    assertThat(used.nanos()).isEqualTo(6);
    assertThat(used.hasFailed()).isTrue();
    assertThat(used.message(8, Origin.ASK, false).hasFailed()).isFalse();
    assertThat(used.origin()).isEqualTo(Origin.ASK);
    assertThat(used.messageClass()).isEqualTo(8);
    assertThat(used.actors(1, 2, 3, 4).receiverKind()).isEqualTo(4);
    assertThat(used.waitNanos()).isEqualTo(-1);
  }

  @Test
  void copy_whatWasWrittenOver_isRefused() {
    for (int i = 0; i < log.capacity() + 10; i++) {
      add(i);
    }
    assertThat(log.copy(10, record)).isFalse(); // its place is the next to be written
    assertThat(log.copy(11, record)).isTrue();
    assertThat(record.traceHi()).isEqualTo(11);
    assertThat(log.bytes()).isEqualTo((long) log.capacity() * MessageLog.RECORD_BYTES);
  }

  @Test
  void bytes_littleWritten_isLittle() {
    MessageLog large = new MessageLog(64 << 20);
    assertThat(large.bytes()).isZero();
    large.add(record(1));
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
                  boolean whole =
                      record.traceHi() == number
                          && record.spanId() == number
                          && record.start() == number;
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
