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
import io.deimos.recorder.trouble.StuckWatch;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** What this process says of itself to other processes. */
final class SelfCard {
  private static final String HOST = host();

  private SelfCard() {}

  /**
   * As OpenTelemetry's {@code host.name}; it may ask a name server, so no application's thread may.
   */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }

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
        HOST,
        ProcessHandle.current().pid(),
        ManagementFactory.getRuntimeMXBean().getStartTime(),
        System.currentTimeMillis(),
        Recorder.metrics().series().stream().mapToLong(MetricsFold.Series::processed).sum(),
        Recorder.recorded(),
        Recorder.dropped() + source.spansDropped(),
        ActorKinds.all().stream().filter(kind -> !kind.isSilent()).mapToLong(ActorKind::live).sum(),
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        store.spansNotSent(),
        StuckWatch.now());
  }
}
