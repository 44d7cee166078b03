// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.source.PageSource;
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
import java.util.List;

/** The card of this process for other processes. */
public final class SelfCard {
  private static final String HOST = host();

  /** How the SDK calls a service that nobody has named. */
  private static final String UNNAMED = "unknown_service";

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
   * As of now.
   *
   * @param id this process's
   */
  public static ProcessStatus of(String id, PageSource source, TraceStore store) {
    Runtime runtime = Runtime.getRuntime();
    ProcessStatus.Versions versions =
        new ProcessStatus.Versions(
            source.version(), HookReport.pekkoVersion(), Runtime.version().toString());
    ProcessStatus.Identity process =
        new ProcessStatus.Identity(
            id,
            service(source),
            Systems.names(),
            versions,
            HOST,
            ProcessHandle.current().pid(),
            ManagementFactory.getRuntimeMXBean().getStartTime());
    ProcessStatus.Counts counts =
        new ProcessStatus.Counts(
            Recorder.metrics().series().stream().mapToLong(MetricsFold.Series::processed).sum(),
            Recorder.recorded(),
            Recorder.dropped() + source.spansDropped(),
            ActorKinds.all().stream()
                .filter(kind -> !kind.isSilent())
                .mapToLong(ActorKind::live)
                .sum(),
            runtime.totalMemory() - runtime.freeMemory(),
            runtime.maxMemory(),
            store.spansNotSent(),
            StuckWatch.now());
    return new ProcessStatus(process, System.currentTimeMillis(), counts);
  }

  /** The SDK's default says nothing; the actor system's name does. */
  public static String service(PageSource source) {
    String name = source.serviceName();
    List<String> systems = Systems.names();
    return name.startsWith(UNNAMED) && !systems.isEmpty() ? systems.get(0) : name;
  }
}
