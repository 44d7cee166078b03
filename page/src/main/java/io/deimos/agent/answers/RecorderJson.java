// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.StoreCounts;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailLoss;
import io.deimos.agent.tail.TailReason;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.trace.TraceGuard;
import java.io.IOException;
import java.util.Map;

/** Writes the figures of Deimos itself: what it records, keeps, exports and loses. */
final class RecorderJson {
  static final Schema SCHEMA =
      Schema.object("The figures of Deimos itself.")
          .with("messages", Schema.whole("Recorded messages."))
          .with("spansRecorded", Schema.whole("Spans that were made."))
          .with("spansExported", Schema.whole("Spans that were exported."))
          .with("spansDropped", Schema.whole("Spans that were lost."))
          .with("memory", Schema.map(Schema.whole(""), "Bytes that it takes, by purpose."))
          .with(
              "folded",
              Schema.object("The counts taken together as other, about.")
                  .with("actorClasses", Schema.whole("Classes of actors."))
                  .with("messagePairs", Schema.whole("Pairs of actor and message class.")))
          .with("tracesKept", Schema.whole("Traces in memory."))
          .with("tracesCut", Schema.whole("Traces that the guard ended."))
          .with("faults", Schema.whole("Failures of Deimos itself."))
          .with("threads", Schema.whole("Its threads."))
          .with("export", Schema.text("Where spans are exported to."))
          .with(
              "store",
              Schema.object("The traces that the page's store was given, and does not hold.")
                  .with("admittedShare", Schema.number("The share of new traces it takes now."))
                  .with("spansKept", Schema.whole("Spans in memory."))
                  .with("spansNotKept", Schema.whole("Spans that were not taken."))
                  .with("errorsNotKept", Schema.whole("Failed spans that were not taken."))
                  .with("spansTruncated", Schema.whole("Spans beyond the bound of their trace."))
                  .with("tracesLetGo", Schema.whole("Ordinary traces beyond the limit."))
                  .with("spansLetGo", Schema.whole("Their spans."))
                  .with("tracesThinned", Schema.whole("Traces cut to what shows their trouble."))
                  .with("spansThinned", Schema.whole("The spans that they lost."))
                  .with("troubleEvicted", Schema.whole("Traces with trouble that made room."))
                  .with("troubleWholeNanos", Schema.whole("How long such traces stay whole now."))
                  .with("tracesPerSecond", Schema.whole("The limit of new traces, as set."))
                  .with("roomForSpans", Schema.whole("The limit of spans, as set."))
                  .with("tracesEvicted", Schema.whole("Traces that made room for others."))
                  .with("spansEvicted", Schema.whole("Their spans.")))
          .with(
              "tail",
              Schema.object("The decisions of tail sampling, by reason.")
                  .with("spansHeld", Schema.whole("Spans that wait for a decision."))
                  .with("spansKept", Schema.map(Schema.whole(""), "Spans that were kept."))
                  .with("spansLetGo", Schema.map(Schema.whole(""), "Spans that were dropped."))
                  .with("otherSpansKept", Schema.whole("Kept spans of other instrumentations."))
                  .with("otherSpansLetGo", Schema.map(Schema.whole(""), "The dropped ones.")));

  private final PageSource source;
  private final StoreCounts store;
  private final StoreLimits limits;
  private final double share;

  RecorderJson(PageSource source, TraceStore traces) {
    this.source = source;
    this.store = traces.counts();
    this.limits = traces.limits();
    this.share = traces.share();
  }

  void writeTo(Json json, long messages) throws IOException {
    json.beginObject();
    json.name("messages").value(messages);
    json.name("spansRecorded").value(Recorder.recorded());
    json.name("spansExported").value(source.spansExported());
    json.name("spansDropped").value(Recorder.dropped() + source.spansDropped());
    json.name("memory").beginObject();
    for (Map.Entry<Memory.Purpose, Long> taken : Memory.bytes().entrySet()) {
      json.name(taken.getKey().word()).value(taken.getValue());
    }
    json.endObject();
    json.name("folded").beginObject();
    json.name("actorClasses").value(Folds.actorClasses());
    json.name("messagePairs").value(Recorder.foldedPairs());
    json.endObject();
    json.name("tracesKept").value(store.kept().traces());
    json.name("tracesCut").value(TraceGuard.cuts());
    json.name("faults").value(Faults.count());
    json.name("threads").value(AgentThread.running());
    json.name("export").value(source.exportTarget());
    json.name("store").beginObject();
    json.name("admittedShare").value(share);
    json.name("spansKept").value(store.kept().spans());
    json.name("spansNotKept").value(store.turnedAway().spans());
    json.name("errorsNotKept").value(store.turnedAway().errors());
    json.name("spansTruncated").value(store.spansTruncated());
    json.name("tracesLetGo").value(store.letGo().traces());
    json.name("spansLetGo").value(store.letGo().spans());
    json.name("tracesThinned").value(store.thinned().traces());
    json.name("spansThinned").value(store.thinned().spans());
    json.name("troubleEvicted").value(store.troubleEvicted());
    json.name("troubleWholeNanos").value(store.troubleWholeNanos());
    json.name("tracesPerSecond").value(limits.tracesPerSecond());
    json.name("roomForSpans").value(limits.spansKept());
    json.name("tracesEvicted").value(store.evicted().traces());
    json.name("spansEvicted").value(store.evicted().spans());
    json.endObject();
    json.name("tail");
    tail(json, source.tail());
    json.endObject();
  }

  private static void tail(Json json, TailCounts counts) throws IOException {
    json.beginObject();
    json.name("spansHeld").value(counts.held());
    json.name("spansKept").beginObject();
    for (TailReason reason : TailReason.values()) {
      json.name(reason.word()).value(counts.kept(reason));
    }
    json.endObject();
    json.name("spansLetGo").beginObject();
    for (TailLoss reason : TailLoss.values()) {
      json.name(reason.word()).value(counts.letGo(reason));
    }
    json.endObject();
    json.name("otherSpansKept").value(counts.othersKept());
    json.name("otherSpansLetGo").beginObject();
    for (TailLoss reason : TailLoss.values()) {
      json.name(reason.word()).value(counts.othersLetGo(reason));
    }
    json.endObject();
    json.endObject();
  }
}
