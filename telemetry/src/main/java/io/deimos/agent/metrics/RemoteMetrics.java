// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.span.Names;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.names.Attribute;
import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The transport's counts, by system, peer, stream and direction. Observed when somebody collects;
 * where no transport runs, nothing is.
 */
public final class RemoteMetrics {
  private static final AttributeKey<String> PEER = Names.text(Attribute.REMOTE_PEER);
  private static final AttributeKey<String> STREAM = Names.text(Attribute.REMOTE_STREAM);
  private static final AttributeKey<String> DIRECTION = Names.text(Attribute.DIRECTION);
  private static final AttributeKey<String> FLUSHED = Names.text(Attribute.FLUSH_REASON);
  private static final AttributeKey<String> REFUSAL = Names.text(Attribute.REFUSAL_REASON);
  private static final double NANOS_PER_SECOND = 1e9;

  private final ObservableLongMeasurement messages;
  private final ObservableLongMeasurement bytes;
  private final ObservableLongMeasurement dropped;
  private final ObservableLongMeasurement connections;
  private final ObservableLongMeasurement reconnects;
  private final ObservableLongMeasurement queued;
  private final ObservableLongMeasurement backlog;
  private final ObservableLongMeasurement flushes;
  private final ObservableLongMeasurement refused;
  private final ObservableDoubleMeasurement flushTime;
  private final ObservableDoubleMeasurement codecTime;

  private RemoteMetrics(Meter meter) {
    messages = Instrument.REMOTE_MESSAGES.whole(meter);
    bytes = Instrument.REMOTE_IO.whole(meter);
    dropped = Instrument.REMOTE_DROPPED.whole(meter);
    connections = Instrument.REMOTE_CONNECTIONS.whole(meter);
    reconnects = Instrument.REMOTE_RECONNECTS.whole(meter);
    queued = Objects.requireNonNull(Instrument.of(Metric.REMOTE_QUEUE, meter));
    backlog = Instrument.REMOTE_BACKLOG.whole(meter);
    flushes = Instrument.REMOTE_FLUSHES.whole(meter);
    refused = Instrument.REMOTE_REFUSED.whole(meter);
    flushTime = Instrument.REMOTE_FLUSH_TIME.seconds(meter);
    codecTime = Instrument.REMOTE_CODEC_TIME.seconds(meter);
  }

  /** Has the instruments observed whenever the meter's provider collects. */
  @SuppressWarnings("resource") // observed as long as the process runs
  public static void register(Meter meter) {
    RemoteMetrics all = new RemoteMetrics(meter);
    meter.batchCallback(
        all::observe,
        all.messages,
        all.bytes,
        all.dropped,
        all.connections,
        all.reconnects,
        all.queued,
        all.backlog,
        all.flushes,
        all.refused,
        all.flushTime,
        all.codecTime);
  }

  private void observe() {
    try {
      List<RemoteStats.Peer> peers = RemoteStats.snapshot();
      peers.forEach(this::observe);
      RemoteStats.refused().forEach(this::observe);
      pekkosQueues(peers);
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  /** Send queues of associations that the transport has no part in. */
  private void pekkosQueues(List<RemoteStats.Peer> peers) {
    Set<Attributes> told = new HashSet<>();
    peers.forEach(peer -> told.add(attributes(peer)));
    GaugeReaders.last()
        .of(Metric.REMOTE_QUEUE)
        .forEach(
            (values, n) -> {
              Attributes attributes = RareInstruments.attributes(Metric.REMOTE_QUEUE, values);
              if (!told.contains(attributes)) {
                queued.record(n, attributes);
              }
            });
  }

  static Attributes attributes(RemoteStats.Peer peer) {
    return Attributes.of(
        MetricNames.SYSTEM,
        peer.system(),
        PEER,
        peer.peer(),
        STREAM,
        peer.stream(),
        DIRECTION,
        isOut(peer) ? "transmit" : "receive");
  }

  private static boolean isOut(RemoteStats.Peer peer) {
    return peer.direction().equals("out");
  }

  private void observe(RemoteStats.Refused of) {
    refused.record(
        of.count(), Attributes.of(MetricNames.SYSTEM, of.system(), REFUSAL, of.reason()));
  }

  private void observe(RemoteStats.Peer peer) {
    boolean out = isOut(peer);
    Attributes attributes = attributes(peer);
    RemoteStats.Counts counts = peer.counts();
    messages.record(counts.messages(), attributes);
    bytes.record(counts.bytes(), attributes);
    dropped.record(counts.dropped(), attributes);
    connections.record(peer.connected() ? 1 : 0, attributes);
    reconnects.record(counts.reconnects(), attributes);
    (out ? queued : backlog).record(peer.queued(), attributes);
    Batches batches = peer.batches();
    if (batches == null) {
      flushes.record(counts.flushes(), attributes);
    } else {
      for (FlushReason reason : FlushReason.values()) {
        if (batches.count(reason) > 0) {
          flushes.record(
              batches.count(reason), attributes.toBuilder().put(FLUSHED, reason.word()).build());
        }
      }
    }
    if (counts.flushNanos() > 0) {
      flushTime.record(counts.flushNanos() / NANOS_PER_SECOND, attributes);
    }
    if (counts.codecNanos() > 0) {
      codecTime.record(counts.codecNanos() / NANOS_PER_SECOND, attributes);
    }
  }
}
