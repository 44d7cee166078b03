// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.metrics.ScrapedText;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.processes.SelfCard;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a page.
 *
 * @param id this process's
 * @param accountant keeps account of requests at all ports
 */
record PageParts(
    String id,
    PagePlace place,
    PageAccess access,
    PageSource source,
    Accountant accountant,
    TraceStore store,
    Shown shown,
    PageLines say) {
  /**
   * The parts that are no routes.
   *
   * @param metrics the source of {@code /metrics}; null for none
   */
  record Shown(@Nullable ScrapedText metrics, Dashboard dashboard) {}

  ProcessStatus card() {
    return SelfCard.of(id, source, store);
  }

  /**
   * @param nodes the processes on this page; null if no other can join
   */
  PageHandler handler(Callers callers, @Nullable Nodes nodes) {
    return new PageHandler(
        callers,
        access,
        new Site(
            access,
            shown.dashboard,
            source,
            store,
            nodes,
            shown.metrics,
            accountant,
            place.alone() != null));
  }
}
