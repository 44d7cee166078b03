// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.source.Quantiles;
import io.deimos.remote.Batches;
import io.deimos.remote.FlushReason;
import io.deimos.remote.RemoteStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of the figures of a stream's batches for the settings under {@code
 * deimos.remote.batching}, in plain words. It only says what follows from the figures; it does not
 * guess at the load to come.
 */
final class TransportAdvice {
  /** With fewer batches nothing is said. */
  private static final int FEWEST_BATCHES = 100;

  /** Below so many messages on average, a batch is a single message. */
  private static final double SINGLE = 1.5;

  /** A reason that ends so large a share of the batches is worth a word. */
  private static final double OFTEN = 0.2;

  private static final double MOSTLY = 0.5;

  /** A flush that takes longer does not wait for the processor, but for the peer. */
  private static final double SLOW_FLUSH_NANOS = 10e6;

  private TransportAdvice() {}

  /**
   * One or two sentences.
   *
   * @param stream {@code ordinary}, {@code control} or {@code large}: only the first is batched by
   *     the settings
   * @param settings null if the transport has stopped
   */
  static String of(String stream, Batches batches, RemoteStats.@Nullable Batching settings) {
    if (batches.count() < FEWEST_BATCHES || settings == null) {
      return "Too few batches so far to say anything.";
    }
    List<String> words = new ArrayList<>();
    words.add(
        stream.equals("ordinary")
            ? ordinary(batches, settings)
            : "Batches of %s. The settings under deimos.remote.batching are for ordinary messages."
                .formatted(messages(mean(batches))));
    double slowest = Quantiles.bound(Batches.nanoBounds(), batches.flushNanos(), 0.99);
    if (slowest > SLOW_FLUSH_NANOS) {
      words.add(
          String.format(
              Locale.ROOT,
              "One flush in a hundred takes %.0f ms or more: the network or the peer is slow. No"
                  + " setting here helps against that.",
              slowestBegin(batches) / 1e6));
    }
    return String.join(" ", words);
  }

  private static String ordinary(Batches batches, RemoteStats.Batching settings) {
    double mean = mean(batches);
    if (!settings.enabled()) {
      return "Batching is off: each message is flushed by itself. With batching.enabled = on, those"
          + " that wait for the same socket go together.";
    }
    if (settings.flushIntervalNanos() > 0) {
      return withInterval(batches, settings, mean);
    }
    if (share(batches, FlushReason.MESSAGES) >= OFTEN) {
      return "%s of the batches end at max-pending-writes (%d messages). A higher value saves system calls; others on the same event loop wait longer for their turn."
          .formatted(percent(batches, FlushReason.MESSAGES), settings.maxPendingWrites());
    }
    if (share(batches, FlushReason.BYTES) >= OFTEN) {
      return "%s of the batches end at max-pending-bytes (%d KiB). A higher value saves system calls, and takes more memory while the peer is slow."
          .formatted(percent(batches, FlushReason.BYTES), settings.maxPendingBytes() / 1024);
    }
    if (share(batches, FlushReason.SERIALIZER) >= OFTEN) {
      return "%s of the batches end at a message whose serializer must not run on an event loop. With encode-on = dispatcher all are serialized in one place, and batches get longer."
          .formatted(percent(batches, FlushReason.SERIALIZER));
    }
    if (mean < SINGLE) {
      return "Batches of %s: nothing waits together here. flush-interval = 0 ms is right."
          .formatted(messages(mean));
    }
    return "Batches of %s: what comes during one write goes with the next. flush-interval = 0 ms is right."
        .formatted(messages(mean));
  }

  private static String withInterval(Batches batches, RemoteStats.Batching settings, double mean) {
    String interval = String.format(Locale.ROOT, "%.3g ms", settings.flushIntervalNanos() / 1e6);
    if (share(batches, FlushReason.INTERVAL) < MOSTLY) {
      return "Batches of %s; %s of them waited for all of flush-interval (%s)."
          .formatted(messages(mean), percent(batches, FlushReason.INTERVAL), interval);
    }
    if (mean < SINGLE) {
      return "Batches of %s, although each waits for up to %s: nothing comes together here. Set flush-interval = 0 ms."
          .formatted(messages(mean), interval);
    }
    return "Batches of %s, each after a wait of up to %s. With flush-interval = 0 ms messages do not wait, and a busy connection still sends them together."
        .formatted(messages(mean), interval);
  }

  private static double mean(Batches batches) {
    return (double) batches.messageSum() / batches.count();
  }

  private static String messages(double mean) {
    return String.format(Locale.ROOT, "%.1f messages", mean);
  }

  private static double share(Batches batches, FlushReason reason) {
    return (double) batches.count(reason) / batches.count();
  }

  private static String percent(Batches batches, FlushReason reason) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share(batches, reason));
  }

  /** Where the bucket of the slowest flush in a hundred begins. */
  private static long slowestBegin(Batches batches) {
    long[] bounds = Batches.nanoBounds();
    double end = Quantiles.bound(bounds, batches.flushNanos(), 0.99);
    long begin = bounds[0];
    for (long bound : bounds) {
      if (bound < end) {
        begin = bound;
      }
    }
    return begin;
  }
}
