// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.source.PageSource;
import io.deimos.recorder.spans.LogLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process of which there is nothing to say. */
interface QuietSource extends PageSource {
  @Override
  default String serviceName() {
    return "quiet";
  }

  @Override
  default String version() {
    return "1";
  }

  @Override
  default String exportTarget() {
    return "nowhere";
  }

  @Override
  default long spansExported() {
    return 0;
  }

  @Override
  default long spansDropped() {
    return 0;
  }

  @Override
  default Accountant accountant() {
    return Accountant.ofHeap(1, Long.MAX_VALUE);
  }

  @Override
  default @Nullable LogBook logs() {
    LogBook book = new LogBook(1 << 16);
    book.add(
        new LogLine(1, 9, "a.Log", "said", null, new LogLine.Place("/user/a", "a.A", "", 5, 6, 7)));
    return book;
  }

  @Override
  default List<String> problems() {
    return List.of();
  }
}
