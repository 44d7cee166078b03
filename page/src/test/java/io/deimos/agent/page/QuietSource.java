// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.source.PageSource;
import java.util.List;

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
  default List<String> problems() {
    return List.of();
  }
}
