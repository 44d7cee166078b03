// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Trend;
import io.deimos.agent.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutlookTest {
  private static final long MIB = 1 << 20;

  @Test
  void says_ofMailboxes_hasArrivalAgainstService() {
    Growing growing =
        new Growing(Growing.Kind.MAILBOX, "shop.Orders", 72_000, new Trend(1_200, 80), 300.0, 0);
    assertThat(growing.says())
        .isEqualTo(
            "Mailboxes of Orders grow by 1,200 ± 80 a second: 1,500 come and 300 are processed;"
                + " 72,000 messages wait.");
  }

  @Test
  void says_ofADispatcher_hasNoRates() {
    Growing growing =
        new Growing(Growing.Kind.DISPATCHER, "blocking", 900, new Trend(3.5, 0), null, 0);
    assertThat(growing.says())
        .isEqualTo("The queue of blocking grows by 3.5 a second; 900 tasks wait.");
  }

  @Test
  void says_ofTheHeap_isAnIntervalOfTime() {
    HeapFills heap = new HeapFills(1024 * MIB, 4096 * MIB, new Trend(4.0 * MIB, 1.0 * MIB));
    assertThat(heap.says())
        .isEqualTo(
            "the heap, 1,024 MiB of 4,096 MiB after the last collection, will be full in about"
                + " 13 min at this rate (10 min to 17 min)");
    assertThat(heap.fullInSeconds()).isEqualTo(768);
  }

  @Test
  void mailboxGrows_whileTheHeapFills_saysWhenItIsFull() {
    Series waiting =
        Series.every(
            Duration.ofSeconds(2), 0, LongStream.rangeClosed(0, 30).map(i -> i * 2_400).toArray());
    List<Finding> found = new ArrayList<>();
    new MailboxGrows()
        .look(
            Evidence.of(
                Settings.defaults(),
                new Mailbox("pekko://shop/user/orders", "shop.Orders", waiting, 300),
                new HeapFills(1024 * MIB, 4096 * MIB, new Trend(4.0 * MIB, 1.0 * MIB))),
            found::add);
    assertThat(found)
        .singleElement()
        .extracting(one -> one.words().costs())
        .isEqualTo(
            "Messages wait ever longer: the heap, 1,024 MiB of 4,096 MiB after the last collection,"
                + " will be full in about 13 min at this rate (10 min to 17 min).");
  }
}
