// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.source.Quantiles;
import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes how the transport batches: for each outgoing stream its batches by reason, how they are
 * distributed, and what follows from that. Nothing where the transport does not run.
 */
final class TransportJson {
  private static final Schema DISTRIBUTION =
      Schema.named("Distribution", "How something is distributed.")
          .with("count", Schema.whole("How many."))
          .with("mean", Schema.number("Null if there are none.").orNull())
          .with("p50", Schema.number("The bound of the bucket.").orNull())
          .with("p99", Schema.number("The bound of the bucket.").orNull())
          .with("bounds", Schema.list(Schema.number(""), "The upper bounds of the buckets."))
          .with("counts", Schema.list(Schema.whole(""), "One more than there are bounds."));

  static final Schema STREAM =
      Schema.named("TransportStream", "How one outgoing stream batches.")
          .with("system", Schema.text("The actor system."))
          .with("peer", Schema.text("The other's address."))
          .with("stream", Schema.text("control, ordinary or large."))
          .with("batches", Schema.whole("How many there were."))
          .with(
              "reasons",
              Schema.map(
                  Schema.whole(""),
                  "How many ended for each reason, as in deimos.remote.batch.flushed."))
          .with("length", DISTRIBUTION)
          .with("bytes", DISTRIBUTION)
          .with("flushNanos", DISTRIBUTION)
          .with("advice", Schema.text("Advice for the settings, in words."));

  private static final int MAX_STREAMS = 50;

  private TransportJson() {}

  static void writeTo(Json json) throws IOException {
    Map<String, RemoteStats.Batching> settings = new TreeMap<>();
    RemoteStats.batching().forEach(one -> settings.put(one.system(), one));
    write(json, RemoteStats.snapshot(), settings);
  }

  /** The streams with the most messages first. */
  static void write(
      Json json, List<RemoteStats.Peer> peers, Map<String, RemoteStats.Batching> settings)
      throws IOException {
    List<RemoteStats.Peer> out = new ArrayList<>();
    for (RemoteStats.Peer peer : peers) {
      if (count(peer.batches()) > 0) {
        out.add(peer);
      }
    }
    out.sort(Comparator.comparingLong(peer -> -peer.counts().messages()));
    json.beginArray();
    for (RemoteStats.Peer peer : out.subList(0, Math.min(MAX_STREAMS, out.size()))) {
      Batches batches = peer.batches();
      if (batches != null) {
        stream(json, peer, batches, settings.get(peer.system()));
      }
    }
    json.endArray();
  }

  private static long count(@Nullable Batches batches) {
    return batches == null ? 0 : batches.count();
  }

  private static void stream(
      Json json, RemoteStats.Peer peer, Batches batches, RemoteStats.@Nullable Batching settings)
      throws IOException {
    json.beginObject();
    json.name("system").value(peer.system());
    json.name("peer").value(peer.peer());
    json.name("stream").value(peer.stream());
    json.name("batches").value(batches.count());
    json.name("reasons").beginObject();
    for (FlushReason reason : FlushReason.values()) {
      if (batches.count(reason) > 0) {
        json.name(reason.word()).value(batches.count(reason));
      }
    }
    json.endObject();
    distribution(
        json.name("length"), Batches.messageBounds(), batches.messages(), batches.messageSum());
    distribution(json.name("bytes"), Batches.byteBounds(), batches.bytes(), batches.byteSum());
    distribution(
        json.name("flushNanos"),
        Batches.nanoBounds(),
        batches.flushNanos(),
        batches.flushNanoSum());
    json.name("advice").value(TransportAdvice.of(peer.stream(), batches, settings));
    json.endObject();
  }

  /** Null where nothing was measured. */
  private static void distribution(Json json, long[] bounds, long[] counts, long sum)
      throws IOException {
    long count = Arrays.stream(counts).sum();
    json.beginObject();
    json.name("count").value(count);
    json.name("mean").value(count == 0 ? Double.NaN : (double) sum / count);
    json.name("p50").value(Quantiles.bound(bounds, counts, 0.5));
    json.name("p99").value(Quantiles.bound(bounds, counts, 0.99));
    json.name("bounds").values(bounds);
    json.name("counts").values(counts).endObject();
  }
}
