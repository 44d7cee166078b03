// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.profile.Profile;
import io.deimos.agent.store.StoreCounts;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailLoss;
import io.deimos.agent.tail.TailReason;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.trace.TraceGuard;
import io.deimos.recorder.trouble.StuckWatch;
import io.deimos.remote.RemoteStats;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes the answer of {@code /api/state}: all counts since the JVM started. */
final class StateJson {
  /** How the SDK calls a service that nobody has named. */
  private static final String UNNAMED = "unknown_service";

  private static final int MOST_CLASSES = 1000;
  private static final int MOST_FAILURES = 200;

  private final PageSource source;
  private final StoreCounts store;
  private final StoreLimits limits;
  private final double share;

  StateJson(PageSource source, TraceStore traces) {
    this.source = source;
    this.store = traces.counts();
    this.limits = traces.limits();
    this.share = traces.share();
  }

  void writeTo(Json json) throws IOException {
    Collection<ActorRow> actors = actors();
    json.beginObject();
    process(json);
    json.name("recorder");
    recorder(json, actors);
    json.name("hooks");
    hooks(json);
    Profile profile = source.profile();
    json.name("profiling").value(profile != null && profile.isOn());
    strings(json.name("problems"), problems());
    PageSettings settings = source.settings();
    SettingsJson.changes(json.name("presets"), settings == null ? List.of() : settings.presets());
    json.name("totals");
    totals(json, actors);
    json.name("bounds").beginArray();
    for (long bound : Durations.boundsNanos()) {
      json.value(bound / 1e9);
    }
    json.endArray();
    json.name("actors").beginArray();
    for (ActorRow actor : busiest(actors)) {
      actor.writeTo(json);
    }
    json.endArray();
    failures(json, actors);
    asks(json);
    remote(json);
    json.endObject();
  }

  /** Those with a row each: who looks once a second cannot be told of ten thousand. */
  private static Collection<ActorRow> busiest(Collection<ActorRow> actors) {
    if (actors.size() <= MOST_CLASSES) {
      return actors;
    }
    List<ActorRow> sorted = new ArrayList<>(actors);
    sorted.sort(
        Comparator.comparingLong(ActorRow::processed)
            .thenComparingLong(ActorRow::failed)
            .thenComparingLong(ActorRow::live)
            .reversed());
    return sorted.subList(0, MOST_CLASSES);
  }

  /** The most frequent first. */
  private static void failures(Json json, Collection<ActorRow> actors) throws IOException {
    List<Failure> all = new ArrayList<>();
    for (ActorRow actor : actors) {
      actor
          .failures()
          .forEach((type, count) -> all.add(new Failure(actor.className(), type, count)));
    }
    all.sort(Comparator.comparingLong(Failure::count).reversed());
    json.name("failures").beginArray();
    for (Failure failure : all.subList(0, Math.min(MOST_FAILURES, all.size()))) {
      json.beginObject();
      json.name("actorClass").value(failure.actorClass());
      json.name("errorType").value(failure.errorType());
      json.name("count").value(failure.count());
      json.endObject();
    }
    json.endArray();
  }

  private record Failure(String actorClass, String errorType, long count) {}

  private void process(Json json) throws IOException {
    json.name("service").value(service(source));
    strings(json.name("systems"), Systems.names());
    json.name("version").value(source.version());
    json.name("pekkoVersion").value(HookReport.pekkoVersion());
    json.name("jdk").value(jdk());
    json.name("startedAtMillis").value(ManagementFactory.getRuntimeMXBean().getStartTime());
    json.name("nowMillis").value(System.currentTimeMillis());
  }

  /** The SDK's default says nothing; the actor system's name does. */
  static String service(PageSource source) {
    String name = source.serviceName();
    List<String> systems = Systems.names();
    return name.startsWith(UNNAMED) && !systems.isEmpty() ? systems.get(0) : name;
  }

  private static String jdk() {
    return Runtime.version() + " (" + System.getProperty("java.vendor", "unknown vendor") + ")";
  }

  private void recorder(Json json, Collection<ActorRow> actors) throws IOException {
    json.beginObject();
    json.name("messages").value(actors.stream().mapToLong(ActorRow::processed).sum());
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
    json.name("tracesKept").value(store.tracesKept());
    json.name("tracesCut").value(TraceGuard.cuts());
    json.name("faults").value(Faults.count());
    json.name("threads").value(AgentThread.running());
    json.name("export").value(source.exportTarget());
    json.name("store").beginObject();
    json.name("admittedShare").value(share);
    json.name("spansKept").value(store.spansKept());
    json.name("spansNotKept").value(store.spansTurnedAway());
    json.name("errorsNotKept").value(store.errorsTurnedAway());
    json.name("spansTruncated").value(store.spansTruncated());
    json.name("tracesLetGo").value(store.tracesLetGo());
    json.name("spansLetGo").value(store.spansLetGo());
    json.name("tracesThinned").value(store.tracesThinned());
    json.name("spansThinned").value(store.spansThinned());
    json.name("troubleEvicted").value(store.troubleEvicted());
    json.name("troubleWholeNanos").value(store.troubleWholeNanos());
    json.name("tracesPerSecond").value(limits.tracesPerSecond());
    json.name("roomForSpans").value(limits.spansKept());
    json.name("tracesEvicted").value(store.tracesEvicted());
    json.name("spansEvicted").value(store.spansEvicted());
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

  private static void hooks(Json json) throws IOException {
    int total = HookReport.hooks().size();
    List<String> missing = HookReport.missing();
    json.beginObject();
    json.name("state").value(HookReport.state().name().toLowerCase(Locale.ROOT));
    json.name("ok").value(Math.max(0, total - missing.size()));
    json.name("total").value(total);
    strings(json.name("missing"), missing);
    json.endObject();
  }

  private List<String> problems() {
    List<String> problems = new ArrayList<>(source.problems());
    List<Faults.Fault> faults = Faults.all();
    if (!faults.isEmpty()) {
      problems.add(
          "Deimos failed inside itself "
              + (Faults.count() == 1 ? "once" : Faults.count() + " times")
              + "; the application is unaffected. The stacks are at /api/faults: please report"
              + " them. "
              + faults.get(0).what()
              + (faults.size() == 1 ? "" : ", and in " + (faults.size() - 1) + " other places"));
    }
    return problems;
  }

  /** The answer of {@code /api/faults}. */
  static void faults(Json json) throws IOException {
    json.beginObject();
    json.name("count").value(Faults.count());
    json.name("faults").beginArray();
    for (Faults.Fault fault : Faults.all()) {
      json.beginObject();
      json.name("what").value(fault.what());
      json.name("times").value(fault.times());
      json.name("stack").value(fault.stack());
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void totals(Json json, Collection<ActorRow> actors) throws IOException {
    json.beginObject();
    json.name("actorsLive").value(actors.stream().mapToLong(ActorRow::live).sum());
    json.name("deadLetters").value(EventHooks.deadLetters());
    json.name("deadLettersSuppressed").value(EventHooks.suppressedDeadLetters());
    json.name("unhandled").value(EventHooks.unhandled());
    json.name("dropped").value(EventHooks.dropped());
    json.name("stuckNow").value(StuckWatch.now());
    json.name("classes").value(actors.size());
    json.name("failed").value(actors.stream().mapToLong(ActorRow::failed).sum());
    json.name("failures").value(actors.stream().mapToLong(actor -> actor.failures().size()).sum());
    json.name("errorTypes")
        .value(actors.stream().flatMap(a -> a.failures().keySet().stream()).distinct().count());
    long[] processing = new long[Durations.BUCKETS];
    long[] waits = new long[Durations.BUCKETS];
    actors.forEach(actor -> actor.addProcessingTo(processing));
    actors.forEach(actor -> actor.addWaitsTo(waits));
    histogram(
        json.name("processing"),
        actors.stream().mapToLong(ActorRow::processingNanos).sum(),
        processing);
    histogram(json.name("wait"), actors.stream().mapToLong(ActorRow::waitNanos).sum(), waits);
    json.endObject();
  }

  private static void remote(Json json) throws IOException {
    json.name("remote").beginArray();
    for (RemoteStats.Peer peer : RemoteStats.snapshot()) {
      json.beginObject();
      json.name("system").value(peer.system());
      json.name("peer").value(peer.peer());
      json.name("direction").value(peer.direction());
      json.name("stream").value(peer.stream());
      json.name("connected").value(peer.connected());
      json.name("messages").value(peer.messages());
      json.name("bytes").value(peer.bytes());
      json.name("flushes").value(peer.flushes());
      json.name("flushNanos").value(peer.flushNanos());
      json.name("codecNanos").value(peer.codecNanos());
      json.name("queued").value(peer.queued());
      json.name("dropped").value(peer.dropped());
      json.name("reconnects").value(peer.reconnects());
      json.endObject();
    }
    json.endArray();
  }

  private static void asks(Json json) throws IOException {
    List<AskMetrics.Series> asks = new ArrayList<>(AskMetrics.series());
    asks.sort(Comparator.comparing(series -> series.question().name()));
    json.name("asks").beginArray();
    for (int i = 0; i < asks.size(); ) {
      String question = asks.get(i).question().name();
      long[] buckets = new long[Durations.BUCKETS];
      long sumNanos = 0;
      long timeouts = 0;
      for (; i < asks.size() && asks.get(i).question().name().equals(question); i++) {
        long[] more = asks.get(i).buckets();
        Arrays.setAll(buckets, b -> buckets[b] + more[b]);
        sumNanos += asks.get(i).sumNanos();
        timeouts += asks.get(i).timeouts();
      }
      json.beginObject();
      json.name("class").value(question);
      json.name("count").value(Arrays.stream(buckets).sum());
      json.name("timeouts").value(timeouts);
      histogram(json.name("duration"), sumNanos, buckets);
      json.endObject();
    }
    json.endArray();
  }

  /** One row for each class in each system, in that order; silent kinds have none. */
  private static Collection<ActorRow> actors() {
    Map<String, ActorRow> rows = new TreeMap<>();
    for (ActorKind kind : ActorKinds.all()) {
      if (!kind.isSilent()) {
        row(rows, kind).add(kind);
      }
    }
    for (MetricsFold.Series series : Recorder.metrics().series()) {
      if (!series.kind().isSilent()) {
        row(rows, series.kind()).add(series);
      }
    }
    rows.values().removeIf(ActorRow::isEmpty);
    return rows.values();
  }

  private static ActorRow row(Map<String, ActorRow> rows, ActorKind kind) {
    return rows.computeIfAbsent(
        kind.className() + '\n' + kind.system(),
        key -> new ActorRow(kind.className(), kind.system()));
  }

  static void histogram(Json json, long sumNanos, long[] buckets) throws IOException {
    json.beginObject();
    json.name("count").value(Arrays.stream(buckets).sum());
    json.name("sumNanos").value(sumNanos);
    json.name("buckets").beginArray();
    for (long bucket : buckets) {
      json.value(bucket);
    }
    json.endArray();
    json.endObject();
  }

  private static void strings(Json json, List<String> values) throws IOException {
    json.beginArray();
    for (String value : values) {
      json.value(value);
    }
    json.endArray();
  }
}
