// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.check.Checks;
import io.deimos.agent.json.Json;
import io.deimos.agent.messages.Processing;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.Correspondence;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.OneActor;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.trouble.StuckWatch;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the answers of {@code /api/v1/actors}. An unknown value is null. */
final class ActorsJson {
  static final Schema LINE =
      Schema.named("Actor", "One living actor.")
          .with("id", Schema.whole("Its number in this process; another may have it later."))
          .with("path", Schema.text("Its path."))
          .with("class", Schema.text("Its class; of a typed actor, that of its behaviour."))
          .with("system", Schema.text("Its actor system."))
          .with("pekko", Schema.flag("Whether the class is Pekko's."))
          .with("group", Schema.text("The group that its path belongs to.").orNull())
          .with(
              "mailbox",
              Schema.whole(
                      "Messages that waited when somebody last looked: each second, or less often"
                          + " where there are many actors; at most 20,000 are looked at in one go,"
                          + " parents first.")
                  .orNull())
          .with(
              "mailboxPeak",
              Schema.whole(
                      "The most messages that waited at one of the looks of the last 60 to 90"
                          + " seconds.")
                  .orNull())
          .with("children", Schema.whole("Children that lived then.").orNull())
          .with(
              "ratePerSecond",
              Schema.number(
                      "Messages a second over the last four to eight seconds. A message counts"
                          + " when it has been processed.")
                  .orNull())
          .with(
              "busyShare",
              Schema.number("The share of these seconds for which it was processing.").orNull())
          .with(
              "waitP99Nanos",
              Schema.whole(
                      "99 of 100 messages waited less in the mailbox. An estimate within a"
                          + " power of two, from 8 µs to 34 s; newer messages weigh more.")
                  .orNull())
          .with("messages", Schema.whole("Recorded messages since it is followed."))
          .with("processingNanos", Schema.whole("For how long it processed them in all."))
          .with("failures", Schema.whole("How many of them failed."))
          .with("restarts", Schema.whole("How often supervision has restarted it."))
          .with("madeAtMillis", Schema.whole("When it was made."));

  static final Schema LIST =
      Schema.named("Actors", "A part of the list of living actors.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("total", Schema.whole("How many actors match."))
          .with("living", Schema.whole("How many live, Pekko's own included."))
          .with("offset", Schema.whole("As asked."))
          .with(
              "known",
              Schema.object("How much of it is known.")
                  .with(
                      "recordedShare",
                      Schema.number(
                              "The share of the messages so far that has records. Rates, busy"
                                  + " shares, waits and failures are of these alone.")
                          .orNull())
                  .with(
                      "mailboxes",
                      Schema.whole(
                          "How many mailboxes were looked into; 0 if"
                              + " deimos.metrics.gauges.enabled is off."))
                  .with("followed", Schema.whole("The number of actors with figures."))
                  .with(
                      "letGo",
                      Schema.whole(
                          "Messages of actors for which there was no room, or for which"
                              + " another lost its place: deimos.observer.memory is used up."))
                  .with(
                      "leftOut",
                      Schema.whole(
                          "Messages left out: to follow them would have taken more than"
                              + " deimos.observer.cpu.")))
          .with(
              "other",
              Schema.object("With class=other: the classes that are counted under that name.")
                  .with("classes", Schema.whole("How many of them have living actors."))
                  .with(
                      "most",
                      Schema.list(
                          Schema.object("")
                              .with("class", Schema.text("Its name."))
                              .with("living", Schema.whole("How many of its actors live.")),
                          "The 20 with the most living actors."))
                  .orNull())
          .with("outlook", OutlookJson.OUTLOOK.maybe())
          .with("notLookedAt", Schema.NOT_LOOKED_AT)
          .with("actors", Schema.list(LINE, "In the order that was asked for."));

  /** One message, as an actor's history and what led to a failure have it. */
  static final Schema MESSAGE =
      Schema.object("")
          .with(
              "startEpochNanos",
              Schema.text("When processing began: nanoseconds since 1970, as text."))
          .with("class", Schema.text("Its class."))
          .with("senderPath", Schema.text("The path of the actor that sent it.").orNull())
          .with("waitNanos", Schema.whole("For how long it waited in the mailbox.").orNull())
          .with("processingNanos", Schema.whole("For how long it was processed."))
          .with("failed", Schema.flag("Whether processing threw."))
          .with("traceId", Schema.hex(32, "Its trace."))
          .with("spanId", Schema.hex(16, "Its span."));

  private static final Schema PEER =
      Schema.named("Peer", "An actor that wrote to one, or to which one wrote.")
          .with("id", Schema.whole("Its number; 0 for what is no actor of this process."))
          .with(
              "path",
              Schema.text(
                      "Null for what has stopped, and for what is none (id 0): an ask, a timer, a"
                          + " stream, another node.")
                  .orNull())
          .with("class", Schema.text("Its class.").orNull())
          .with("messages", Schema.whole("How many messages."))
          .with("failures", Schema.whole("How many of them failed."));

  static final Schema ONE =
      Schema.named("OneActor", "One living actor, whole.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .withAll(LINE)
          .with("alive", Schema.flag("Whether it still lives."))
          .with(
              "now",
              Schema.text("Its present work, in words: alive, or processes shop.Charge for 3.2 s."))
          .with("dispatcher", Schema.text("Its dispatcher in the configuration.").orNull())
          .with("mailboxType", Schema.text("The class of its message queue.").orNull())
          .with("mailboxNow", Schema.whole("Messages that wait, counted for this.").orNull())
          .with("childrenNow", Schema.whole("Children, counted for this up to 10,000.").orNull())
          .with(
              "stashed",
              Schema.whole("Messages in its classic stash; null for an actor without one.")
                  .orNull())
          .with(
              "settings",
              Schema.list(
                  Schema.named("ActorSetting", "A rule for an actor.")
                      .with("key", Schema.text("As in deimos.actors."))
                      .with("value", Schema.text("Its value."))
                      .with(
                          "source",
                          Schema.text(
                              "The source: the setting, the deployment, code, or a marker on"
                                  + " the class.")),
                  "The rules for it, with their sources."))
          .with(
              "log",
              Schema.object("The source of the following.")
                  .with("messages", Schema.whole("How many records were looked at."))
                  .with("sinceMillis", Schema.whole("From when the oldest is.").orNull()))
          .with(
              "received",
              Schema.list(
                  Schema.named("Received", "A message that the actor processed.")
                      .withAll(MESSAGE)
                      .with("sender", Schema.whole("The sender's number; 0 if it was no actor.")),
                  "Its last messages, at most 50, newest first."))
          .with("senders", Schema.list(PEER, "The actors that wrote to it, at most 20."))
          .with("receivers", Schema.list(PEER, "The actors to which it wrote, at most 20."));

  private ActorsJson() {}

  static void list(
      Json json,
      Observer observer,
      @Nullable Checks checks,
      ActorPage page,
      int offset,
      List<String> notLookedAt)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("total").value(page.total());
    json.name("living").value(page.living());
    json.name("offset").value(offset);
    json.name("known").beginObject();
    json.name("recordedShare").value(recordedShare(observer));
    json.name("mailboxes").value(page.looked());
    json.name("followed").value(observer.followed());
    json.name("letGo").value(observer.letGo());
    json.name("leftOut").value(observer.leftOut());
    json.endObject();
    other(json.name("other"), page);
    OutlookJson.writeTo(json.name("outlook"), checks);
    json.name("notLookedAt").values(notLookedAt);
    json.name("actors").objects(page.lines(), ActorsJson::line).endObject();
  }

  private static void other(Json json, ActorPage page) throws IOException {
    if (page.otherClasses() == 0) {
      json.none();
      return;
    }
    json.beginObject();
    json.name("classes").value(page.otherClasses());
    json.name("most")
        .objects(
            page.mostOfOther(),
            (to, of) -> {
              to.name("class").value(of.className());
              to.name("living").value(of.living());
            })
        .endObject();
  }

  /** The share of messages that have records; not a number where messages are not counted. */
  static double recordedShare(Observer observer) {
    long counted = 0;
    for (MetricsFold.Series series : Recorder.metrics().series()) {
      if (!series.kind().isHidden()) {
        counted += series.processed();
      }
    }
    return counted == 0 ? Double.NaN : Math.min(1, observer.messages() / (double) counted);
  }

  private static void line(Json json, ActorLine line) throws IOException {
    ActorTelemetry actor = line.actor();
    json.name("id").value(actor.id());
    json.name("path").value(actor.path());
    json.name("class").value(actor.className());
    json.name("system").value(actor.kind().system());
    json.name("pekko").value(actor.kind().isPekkos());
    String group = actor.kind().group();
    json.name("group").orNull(group);
    json.name("mailbox").value(line.mailbox());
    json.name("mailboxPeak").value(line.peak());
    json.name("children").value(line.children());
    json.name("ratePerSecond").value(line.work().ratePerSecond());
    json.name("busyShare").value(line.work().busyShare());
    json.name("waitP99Nanos").value(line.work().waitP99Nanos());
    json.name("messages").value(line.work().messages());
    json.name("processingNanos").value(line.work().nanos());
    json.name("failures").value(line.work().failures());
    json.name("restarts").value(line.restarts());
    json.name("madeAtMillis").value(line.madeAtSecond() * 1000);
  }

  static void one(Json json, OneActor actor) throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    line(json, actor.line());
    ActorTelemetry telemetry = actor.line().actor();
    ActorLook look = actor.look();
    json.name("alive").value(telemetry.isAlive());
    json.name("now").value(telemetry.isAlive() ? StuckWatch.busy(telemetry) : "has stopped");
    json.name("dispatcher").value(look == null ? null : look.dispatcher());
    json.name("mailboxType").value(look == null ? null : look.mailbox());
    json.name("mailboxNow").value(look == null ? null : look.waiting());
    json.name("childrenNow").value(look == null ? null : look.children());
    json.name("stashed").value(look == null ? null : look.stashed());
    json.name("settings")
        .objects(
            InForce.rules().explain(telemetry.kind(), telemetry.path()),
            (to, setting) -> {
              to.name("key").value(setting.key());
              to.name("value").value(setting.value());
              to.name("source").value(setting.source());
            });
    Correspondence correspondence = actor.correspondence();
    json.name("log").beginObject();
    json.name("messages").value(correspondence.looked());
    long since = correspondence.sinceEpochNanos() / 1_000_000;
    json.name("sinceMillis").value(since == 0 ? null : since);
    json.endObject();
    json.name("received").objects(correspondence.received(), ActorsJson::received);
    json.name("senders").objects(correspondence.senders(), ActorsJson::peer);
    json.name("receivers").objects(correspondence.receivers(), ActorsJson::peer);
    json.endObject();
  }

  private static void received(Json json, Correspondence.Received one) throws IOException {
    Processing processing = one.processing();
    json.name("startEpochNanos").value(Long.toString(processing.startEpochNanos()));
    json.name("class").value(one.message().name());
    json.name("sender").value(one.sender());
    json.name("senderPath").value(path(one.sender()));
    json.name("waitNanos").value(processing.waitNanos());
    json.name("processingNanos").value(processing.nanos());
    json.name("failed").value(processing.failed());
    json.name("traceId").value(processing.span().traceHex());
    json.name("spanId").value(processing.span().spanHex());
  }

  private static void peer(Json json, Correspondence.Peer peer) throws IOException {
    ActorTelemetry actor = Actors.byId(peer.actor());
    json.name("id").value(peer.actor());
    json.name("path").value(path(peer.actor()));
    json.name("class").value(actor == null ? null : actor.className());
    json.name("messages").value(peer.messages());
    json.name("failures").value(peer.failures());
  }

  /** Null for what is no actor of this process, or has stopped. */
  private static @Nullable String path(int id) {
    ActorTelemetry actor = Actors.byId(id);
    return actor == null ? null : actor.path();
  }
}
