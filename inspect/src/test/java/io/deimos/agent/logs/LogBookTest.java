// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.recorder.spans.LogLine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogBookTest {
  private static final LogQuery ALL = new LogQuery("", "", null, 0, List.of());

  private static LogLine line(int number, String text) {
    return new LogLine(
        number,
        number % 2 == 0 ? 17 : 9,
        "shop.Log",
        text,
        "java.Oops",
        new LogLine.Place("/user/" + number % 3, "shop.Cart$Item", "", 1, number % 5, 7));
  }

  private static List<Long> found(LogBook book, LogQuery query) {
    return book.find(query, 100, Scan.unbounded()).lines().stream()
        .map(LogLine::epochMillis)
        .toList();
  }

  @Test
  void find_byEachOfItsTerms_hasTheLatestFirst() {
    LogBook book = new LogBook(1 << 20);
    for (int i = 0; i < 10; i++) {
      book.add(line(i, i == 4 ? "four" : "other"));
    }
    assertThat(found(book, ALL)).startsWith(9L, 8L).endsWith(1L, 0L);
    assertThat(found(book, new LogQuery("/user/1", "", null, 0, List.of())))
        .containsExactly(7L, 4L, 1L);
    assertThat(found(book, new LogQuery("", "", new LogQuery.TraceOf(1, 3), 0, List.of())))
        .containsExactly(8L, 3L);
    assertThat(found(book, new LogQuery("", "", null, 13, List.of())))
        .containsExactly(8L, 6L, 4L, 2L, 0L);
    assertThat(found(book, new LogQuery("", "Cart.Item", null, 0, List.of()))).hasSize(10);
    assertThat(found(book, new LogQuery("", "shop.Log", null, 0, List.of()))).hasSize(10);
    assertThat(found(book, new LogQuery("", "Other", null, 0, List.of()))).isEmpty();
    assertThat(found(book, new LogQuery("", "", null, 0, List.of(SearchTerm.of("FOUR")))))
        .containsExactly(4L);
    LogBook.Found some = book.find(ALL, 3, Scan.unbounded());
    assertThat(some.lines()).hasSize(3);
    assertThat(some.matching()).isEqualTo(10);
    assertThat(some.sinceMillis()).isZero();
  }

  @Test
  void add_beyondTheBytes_letsTheOldestGoAndCounts() {
    LogBook book = new LogBook(64 << 10);
    for (int i = 0; i < 1000; i++) {
      book.add(line(i, "x".repeat(1000)));
    }
    List<Long> left = found(book, ALL);
    assertThat(left).startsWith(999L, 998L).hasSizeBetween(10, 40);
    assertThat(book.letGo()).isEqualTo(1000 - left.size());
    assertThat(book.bytes()).isLessThan(80 << 10);
  }

  @Test
  void add_byManyThreads_keepsToTheBytesAndLosesNoCount() throws Exception {
    LogBook book = new LogBook(64 << 10);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 5000; i++) {
                  book.add(line(i, "x".repeat(i % 700)));
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    book.add(line(1, ""));
    assertThat(book.letGo() + book.find(ALL, 1, Scan.unbounded()).matching()).isEqualTo(20_001);
    assertThat(book.bytes()).isLessThan(80 << 10);
  }
}
