// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.source.Quantiles;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.remote.Batches;
import io.deimos.remote.RemoteStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** This process's words on its clusters: from what has been read and counted, nobody is asked. */
public final class SelfCluster {
  /** The name of a series that has no room of its own, and of a peer before its handshake. */
  private static final List<String> NOBODY = List.of("other", "unknown");

  private static final String OUT = "out";

  private SelfCluster() {}

  public static ClusterCard of(PageSource source) {
    Readings read = GaugeReaders.last();
    List<ClusterCard.Singleton> singletons = new ArrayList<>();
    read.of(Metric.CLUSTER_SINGLETON)
        .forEach(
            (of, value) ->
                singletons.add(new ClusterCard.Singleton(of.get(0), of.get(1), value != 0)));
    return new ClusterCard(
        read.clusters(),
        singletons,
        shards(read),
        heavy(),
        lines(source, read),
        set(source),
        new ClusterCard.Alive(read.clusters().isEmpty() ? 0 : read.atNanos(), read.homes()),
        read.homesLeftOut());
  }

  private static List<ClusterCard.Shards> shards(Readings read) {
    List<ClusterCard.Shards> all = new ArrayList<>();
    read.of(Metric.SHARDING_SHARDS)
        .forEach(
            (of, shards) ->
                all.add(
                    new ClusterCard.Shards(
                        of.get(0),
                        of.get(1),
                        shards,
                        read.of(Metric.SHARDING_ENTITIES).getOrDefault(of, 0L),
                        read.of(Metric.SHARDING_LARGEST).getOrDefault(of, 0L),
                        read.of(Metric.SHARDING_BUFFERED).getOrDefault(of, 0L))));
    return all;
  }

  private static List<ClusterCard.Heavy> heavy() {
    List<ClusterCard.Heavy> all = new ArrayList<>();
    Metric.SHARD_MESSAGES
        .tally()
        .read()
        .forEach(
            (of, count) -> {
              if (!NOBODY.contains(of.get(2)) && count[0] > 0) {
                all.add(new ClusterCard.Heavy(of.get(0), of.get(1), of.get(2), count[0]));
              }
            });
    all.sort(Comparator.comparingLong(ClusterCard.Heavy::messages).reversed());
    return all;
  }

  private static List<ClusterCard.Setting> set(PageSource source) {
    PageSettings settings = source.settings();
    List<ClusterCard.Setting> all = new ArrayList<>();
    if (settings != null) {
      for (SettingLine line : settings.read().settings()) {
        if (!line.value().equals(line.otherwise())) {
          all.add(new ClusterCard.Setting(line.name(), line.value()));
        }
      }
    }
    return all;
  }

  /** The busiest first. */
  private static List<ClusterCard.Line> lines(PageSource source, Readings read) {
    Map<String, Way> ways = new TreeMap<>();
    source.history().links().perSecond().forEach((peer, rate) -> way(ways, peer).sent = rate);
    read.of(Metric.REMOTE_QUEUE).forEach((of, queued) -> way(ways, of.get(1)).queued += queued);
    read.of(Metric.HEARTBEAT_PHI)
        .forEach((of, phi) -> way(ways, of.get(1)).phi = phi / Metric.THOUSANDTHS);
    Metric.HEARTBEAT_INTERVAL
        .tally()
        .read()
        .forEach(
            (of, counts) ->
                way(ways, of.get(0)).heartbeatP99 =
                    known(Quantiles.nanos(Arrays.copyOf(counts, counts.length - 1), 0.99)));
    for (RemoteStats.Peer peer : RemoteStats.snapshot()) {
      if (peer.direction().equals(OUT)) {
        way(ways, peer.peer()).add(peer);
      }
    }
    NOBODY.forEach(ways::remove);
    List<ClusterCard.Line> lines = new ArrayList<>();
    ways.forEach((peer, way) -> lines.add(way.line(peer)));
    lines.sort(Comparator.comparingDouble(line -> -line.messagesPerSecond()));
    return lines;
  }

  private static @Nullable Double known(double number) {
    return Double.isNaN(number) ? null : number;
  }

  private static Way way(Map<String, Way> ways, String peer) {
    return ways.computeIfAbsent(peer, any -> new Way());
  }

  /** The figures of the way to one node. */
  private static final class Way {
    private ClusterCard.@Nullable Rate sent;
    private long queued;
    private @Nullable Long dropped;
    private @Nullable Double phi;
    private @Nullable Double heartbeatP99;
    private long batches;
    private long inBatches;
    private long[] flushes = new long[0];

    void add(RemoteStats.Peer stream) {
      queued += stream.queued();
      dropped = (dropped == null ? 0 : dropped) + stream.counts().dropped();
      Batches of = stream.batches();
      if (of != null) {
        batches += of.count();
        inBatches += of.messageSum();
        long[] more = of.flushNanos();
        long[] sum = Arrays.copyOf(more, Math.max(more.length, flushes.length));
        for (int i = 0; i < flushes.length; i++) {
          sum[i] += flushes[i];
        }
        flushes = sum;
      }
    }

    ClusterCard.Line line(String peer) {
      return new ClusterCard.Line(
          peer,
          sent,
          queued,
          dropped,
          heartbeatP99,
          phi,
          batches == 0 ? null : (double) inBatches / batches,
          known(Quantiles.bound(Batches.nanoBounds(), flushes, 0.99)));
    }
  }
}
