// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Evidence;
import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.rules.Growing;
import io.deimos.agent.rules.HeapFills;
import io.deimos.agent.rules.OutlookSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes what will be if it goes on so, as a part of other answers. */
final class OutlookJson {
  private static final int MAX_GROWING = 20;

  private static final Schema GROWING =
      Schema.named("Growing", "Queues that grow, as the last two minutes tell.")
          .with(
              "kind",
              Schema.oneOf(
                  Arrays.stream(Growing.Kind.values()).map(Growing.Kind::word).toList(),
                  "Mailboxes or stashes of a class of actors, or a dispatcher's queue."))
          .with("of", Schema.text("The class, or the dispatcher."))
          .with("waiting", Schema.whole("Messages, or tasks, that wait now."))
          .with("perSecond", Schema.number("By how much they grow in a second."))
          .with("errorPerSecond", Schema.number("So far that may be off, with 95 % confidence."))
          .with(
              "arrivesPerSecond",
              Schema.number("Messages that come, where it is counted.").orNull())
          .with(
              "processedPerSecond",
              Schema.number("Messages that are processed, where it is counted.").orNull())
          .with("sinceMillis", Schema.whole("Since when they grow, at most ten minutes ago."))
          .with("says", Schema.text("All this in a sentence."));

  static final Schema OUTLOOK =
      Schema.named("Outlook", "The outlook, if growth goes on. Needs deimos.check.enabled.")
          .with(
              "growing",
              Schema.list(
                  GROWING, "The fastest first, at most 20; none whose growth is within its error."))
          .with(
              "heap",
              Schema.object("Null unless something grows and collections of garbage leave more.")
                  .with("liveBytes", Schema.whole("The heap that the last collection has left."))
                  .with("maxBytes", Schema.whole("Its bound."))
                  .with("bytesPerSecond", Schema.number("By how much that rises in a second."))
                  .with("errorPerSecond", Schema.number("So far that may be off."))
                  .with("fullInSeconds", Schema.number("When it will be full."))
                  .with("says", Schema.text("All this, as the end of a sentence."))
                  .orNull());

  private static final OutlookSource SOURCE = new OutlookSource();

  private OutlookJson() {}

  static void writeTo(Json json, @Nullable Checks checks) throws IOException {
    Evidence facts =
        checks == null || !checks.isOn() ? null : checks.facts(SOURCE, Scan.unbounded());
    List<Growing> growing = facts == null ? List.of() : facts.all(Growing.class);
    List<HeapFills> heap = facts == null ? List.of() : facts.all(HeapFills.class);
    json.beginObject();
    json.name("growing")
        .objects(
            growing.stream()
                .sorted(
                    Comparator.comparingDouble((Growing one) -> one.trend().perSecond()).reversed())
                .limit(MAX_GROWING)
                .toList(),
            OutlookJson::growing);
    json.name("heap");
    if (growing.isEmpty() || heap.isEmpty()) {
      json.none();
    } else {
      heap(json, heap.get(0));
    }
    json.endObject();
  }

  private static void growing(Json json, Growing one) throws IOException {
    json.name("kind").value(one.kind().word());
    json.name("of").value(one.of());
    json.name("waiting").value(one.waiting());
    json.name("perSecond").value(one.trend().perSecond());
    json.name("errorPerSecond").value(one.trend().error());
    json.name("arrivesPerSecond").value(one.arrivesPerSecond());
    json.name("processedPerSecond").value(one.processedPerSecond());
    json.name("sinceMillis").value(one.sinceMillis());
    json.name("says").value(one.says());
  }

  private static void heap(Json json, HeapFills heap) throws IOException {
    json.beginObject();
    json.name("liveBytes").value(heap.liveBytes());
    json.name("maxBytes").value(heap.maxBytes());
    json.name("bytesPerSecond").value(heap.trend().perSecond());
    json.name("errorPerSecond").value(heap.trend().error());
    json.name("fullInSeconds").value(heap.fullInSeconds());
    json.name("says").value(heap.says());
    json.endObject();
  }
}
