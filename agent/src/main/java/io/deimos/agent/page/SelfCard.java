// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.nodes.NodeCard;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.counts.MetricsFold;
import java.lang.management.ManagementFactory;

/** What this process says of itself to other processes. */
final class SelfCard {
  private SelfCard() {}

  /**
   * @param id this process's
   */
  static NodeCard of(String id, PageSource source, TraceStore store) {
    Runtime runtime = Runtime.getRuntime();
    return new NodeCard(
        id,
        StateJson.service(source),
        Systems.names(),
        source.version(),
        HookReport.pekkoVersion(),
        Runtime.version().toString(),
        ProcessHandle.current().pid(),
        ManagementFactory.getRuntimeMXBean().getStartTime(),
        System.currentTimeMillis(),
        Recorder.metrics().series().stream().mapToLong(MetricsFold.Series::processed).sum(),
        Recorder.recorded(),
        Recorder.dropped() + source.spansDropped(),
        ActorKinds.all().stream().filter(kind -> !kind.isSilent()).mapToLong(ActorKind::live).sum(),
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        store.spansNotSent());
  }
}
