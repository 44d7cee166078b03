// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.processes.SelfCard;
import io.deimos.agent.profile.Profile;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.source.PageSettings;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HookReport;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.hooks.EventHooks;
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
  private static final Schema TOTALS =
      Schema.object("The totals of all classes, those without a row included.")
          .with("actorsLive", Schema.whole("Actors that live."))
          .with("deadLetters", Schema.whole("Dead letters, without those Pekko suppresses."))
          .with("deadLettersSuppressed", Schema.whole("Those, which Pekko does not log."))
          .with("unhandled", Schema.whole("Unhandled messages."))
          .with("dropped", Schema.whole("Messages that mailboxes and queues refused."))
          .with("stuckNow", Schema.whole("Messages that are stuck now."))
          .with("classes", Schema.whole("How many rows of actors there would be."))
          .with("failed", Schema.whole("Messages that failed."))
          .with("failures", Schema.whole("How many rows of failures there would be."))
          .with("errorTypes", Schema.whole("How many classes of exceptions."))
          .with("processing", ActorRow.HISTOGRAM)
          .with("wait", ActorRow.HISTOGRAM);

  static final Schema SCHEMA =
      Schema.named("State", "All counts of a process since it started.")
          .with("service", Schema.text("Its own name."))
          .with("systems", Schema.list(Schema.text(""), "Its actor systems."))
          .with("version", Schema.text("The version of Deimos."))
          .with("pekkoVersion", Schema.text("The version of Pekko."))
          .with("jdk", Schema.text("Its Java."))
          .with("startedAtMillis", Schema.whole("When it was started."))
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("recorder", RecorderJson.SCHEMA)
          .with(
              "hooks",
              Schema.object("The self-test.")
                  .with("state", Schema.oneOf(List.of("pending", "ok", "missing"), "The outcome."))
                  .with("ok", Schema.whole("Hooks that fired."))
                  .with("total", Schema.whole("All hooks."))
                  .with("missing", Schema.list(Schema.text(""), "Those that did not fire.")))
          .with("profiling", Schema.flag("Whether a profile is being made."))
          .with("problems", Schema.list(Schema.text(""), "The news for the user, in lines."))
          .with(
              "presets",
              Schema.list(SettingsJson.CHANGE, "Presets that hold now, the strongest last."))
          .with("totals", TOTALS)
          .with(
              "bounds", Schema.list(Schema.number(""), "The bounds of the histograms, in seconds."))
          .with("actors", Schema.list(ActorRow.SCHEMA, "By class, at most 1,000."))
          .with(
              "failures",
              Schema.list(
                  Schema.named("Failures", "Exceptions of one class in one class of actors.")
                      .with("actorClass", Schema.text("The class of the actors."))
                      .with("errorType", Schema.text("The class of the exception."))
                      .with("count", Schema.whole("How many.")),
                  "The most frequent first, at most 200."))
          .with(
              "asks",
              Schema.list(
                  Schema.named("Asks", "Asks of one class of messages.")
                      .with("class", Schema.text("The class of what is asked."))
                      .with("count", Schema.whole("How many."))
                      .with("timeouts", Schema.whole("How many had no answer in time."))
                      .with("duration", ActorRow.HISTOGRAM),
                  "By class."))
          .with(
              "remote",
              Schema.list(
                  Schema.named(
                          "RemoteStream",
                          "One stream with one peer in one direction, since the start.")
                      .with("system", Schema.text("The actor system."))
                      .with("peer", Schema.text("The other's address."))
                      .with("direction", Schema.oneOf(List.of("out", "in"), "The direction."))
                      .with("stream", Schema.text("control, ordinary or large."))
                      .with("connected", Schema.flag("Whether there is a connection."))
                      .with("messages", Schema.whole("Messages on it."))
                      .with("bytes", Schema.whole("Bytes on it."))
                      .with("flushes", Schema.whole("How often it was flushed."))
                      .with("flushNanos", Schema.whole("How long that took; 0 without clocks."))
                      .with("codecNanos", Schema.whole("Coding; 0 without clocks."))
                      .with("queued", Schema.whole("Messages to be sent, or bytes to be read."))
                      .with("dropped", Schema.whole("Messages that were lost."))
                      .with("reconnects", Schema.whole("How often it was connected again.")),
                  "The streams of the transport."));

  static final Route ROUTE =
      Route.at(
              "/api/state",
              "state",
              "All counts of this process",
              "Tells what has been counted since the start.")
          .answers(SCHEMA);

  static final Route FAULTS =
      Route.at(
              "/api/faults",
              "faults",
              "Failures of Deimos itself",
              "Tells where Deimos failed, how often, and with what stack.")
          .answers(
              Schema.named("Faults", "Failures of Deimos itself.")
                  .with("count", Schema.whole("How many."))
                  .with(
                      "faults",
                      Schema.list(
                          Schema.object("")
                              .with("what", Schema.text("The exception."))
                              .with("times", Schema.whole("How often."))
                              .with("stack", Schema.text("The first stack.")),
                          "By place.")));

  private static final int MAX_CLASSES = 1000;
  private static final int MAX_FAILURES = 200;

  private final PageSource source;
  private final RecorderJson recorder;

  StateJson(PageSource source, TraceStore traces) {
    this.source = source;
    this.recorder = new RecorderJson(source, traces);
  }

  void writeTo(Json json) throws IOException {
    Collection<ActorRow> actors = actors();
    json.beginObject();
    process(json);
    json.name("recorder");
    recorder.writeTo(json, actors.stream().mapToLong(ActorRow::processed).sum());
    json.name("hooks");
    hooks(json);
    Profile profile = source.profile();
    json.name("profiling").value(profile != null && profile.isOn());
    json.name("problems").values(problems());
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
    if (actors.size() <= MAX_CLASSES) {
      return actors;
    }
    List<ActorRow> sorted = new ArrayList<>(actors);
    sorted.sort(
        Comparator.comparingLong(ActorRow::processed)
            .thenComparingLong(ActorRow::failed)
            .thenComparingLong(ActorRow::live)
            .reversed());
    return sorted.subList(0, MAX_CLASSES);
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
    json.name("failures")
        .objects(
            all.subList(0, Math.min(MAX_FAILURES, all.size())),
            (to, failure) -> {
              to.name("actorClass").value(failure.actorClass());
              to.name("errorType").value(failure.errorType());
              to.name("count").value(failure.count());
            });
  }

  private record Failure(String actorClass, String errorType, long count) {}

  private void process(Json json) throws IOException {
    json.name("service").value(SelfCard.service(source));
    json.name("systems").values(Systems.names());
    json.name("version").value(source.version());
    json.name("pekkoVersion").value(HookReport.pekkoVersion());
    json.name("jdk").value(jdk());
    json.name("startedAtMillis").value(ManagementFactory.getRuntimeMXBean().getStartTime());
    json.name("nowMillis").value(System.currentTimeMillis());
  }

  private static String jdk() {
    return Runtime.version() + " (" + System.getProperty("java.vendor", "unknown vendor") + ")";
  }

  private static void hooks(Json json) throws IOException {
    int total = HookReport.hooks().size();
    List<String> missing = HookReport.missing();
    json.beginObject();
    json.name("state").value(HookReport.state().name().toLowerCase(Locale.ROOT));
    json.name("ok").value(Math.max(0, total - missing.size()));
    json.name("total").value(total);
    json.name("missing").values(missing);
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
    json.name("faults")
        .objects(
            Faults.all(),
            (to, fault) -> {
              to.name("what").value(fault.what());
              to.name("times").value(fault.times());
              to.name("stack").value(fault.stack());
            })
        .endObject();
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
    json.name("remote")
        .objects(
            RemoteStats.snapshot(),
            (to, peer) -> {
              to.name("system").value(peer.system());
              to.name("peer").value(peer.peer());
              to.name("direction").value(peer.direction());
              to.name("stream").value(peer.stream());
              to.name("connected").value(peer.connected());
              to.name("messages").value(peer.counts().messages());
              to.name("bytes").value(peer.counts().bytes());
              to.name("flushes").value(peer.counts().flushes());
              to.name("flushNanos").value(peer.counts().flushNanos());
              to.name("codecNanos").value(peer.counts().codecNanos());
              to.name("queued").value(peer.queued());
              to.name("dropped").value(peer.counts().dropped());
              to.name("reconnects").value(peer.counts().reconnects());
            });
  }

  private static void asks(Json json) throws IOException {
    List<AskMetrics.Series> asks = new ArrayList<>(AskMetrics.series());
    asks.sort(Comparator.comparing(series -> series.request().name()));
    json.name("asks").beginArray();
    for (int i = 0; i < asks.size(); ) {
      String request = asks.get(i).request().name();
      long[] buckets = new long[Durations.BUCKETS];
      long sumNanos = 0;
      long timeouts = 0;
      for (; i < asks.size() && asks.get(i).request().name().equals(request); i++) {
        long[] more = asks.get(i).buckets();
        Arrays.setAll(buckets, b -> buckets[b] + more[b]);
        sumNanos += asks.get(i).sumNanos();
        timeouts += asks.get(i).timeouts();
      }
      json.beginObject();
      json.name("class").value(request);
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
    json.name("buckets").values(buckets);
    json.endObject();
  }
}
