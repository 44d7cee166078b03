// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.Correspondence;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.OneActor;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.trouble.StuckWatch;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the answers of {@code /api/v1/actors}. What is not known is null. */
final class ActorsJson {
  private ActorsJson() {}

  static void list(Json json, Observer observer, ActorPage page, int offset) throws IOException {
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
    json.endObject();
    json.name("actors").beginArray();
    for (ActorLine line : page.lines()) {
      json.beginObject();
      line(json, line);
      json.endObject();
    }
    json.endArray().endObject();
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
    json.name("class").value(actor.kind().className());
    json.name("system").value(actor.kind().system());
    json.name("pekko").value(actor.kind().isPekkos());
    known(json.name("mailbox"), line.mailbox());
    known(json.name("children"), line.children());
    json.name("ratePerSecond").value(line.ratePerSecond());
    json.name("busyShare").value(line.busyShare());
    known(json.name("waitP99Nanos"), line.waitP99Nanos());
    json.name("messages").value(line.messages());
    json.name("processingNanos").value(line.processingNanos());
    json.name("failures").value(line.failures());
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
    known(json.name("mailboxNow"), look == null ? -1 : look.waiting());
    known(json.name("childrenNow"), look == null ? -1 : look.children());
    known(json.name("stashed"), look == null ? -1 : look.stashed());
    Correspondence correspondence = actor.correspondence();
    json.name("log").beginObject();
    json.name("messages").value(correspondence.looked());
    known(json.name("sinceMillis"), correspondence.sinceEpochNanos() / 1_000_000, 0);
    json.endObject();
    json.name("received").beginArray();
    for (Correspondence.Received received : correspondence.received()) {
      received(json, received);
    }
    json.endArray();
    peers(json.name("senders"), correspondence.senders());
    peers(json.name("receivers"), correspondence.receivers());
    json.endObject();
  }

  private static void received(Json json, Correspondence.Received one) throws IOException {
    json.beginObject();
    json.name("startEpochNanos").value(Long.toString(one.startEpochNanos()));
    json.name("class").value(one.message().name());
    json.name("sender").value(one.sender());
    json.name("senderPath").value(path(one.sender()));
    known(json.name("waitNanos"), one.waitNanos());
    json.name("processingNanos").value(one.nanos());
    json.name("failed").value(one.failed());
    json.name("traceId").value(TraceId.fromLongs(one.traceHi(), one.traceLo()));
    json.name("spanId").value(SpanId.fromLong(one.spanId()));
    json.endObject();
  }

  private static void peers(Json json, Iterable<Correspondence.Peer> peers) throws IOException {
    json.beginArray();
    for (Correspondence.Peer peer : peers) {
      ActorTelemetry actor = Actors.byId(peer.actor());
      json.beginObject();
      json.name("id").value(peer.actor());
      json.name("path").value(path(peer.actor()));
      json.name("class").value(actor == null ? null : actor.kind().className());
      json.name("messages").value(peer.messages());
      json.name("failures").value(peer.failures());
      json.endObject();
    }
    json.endArray();
  }

  /** Null for what is no actor of this process, or has stopped. */
  private static @Nullable String path(int id) {
    ActorTelemetry actor = Actors.byId(id);
    return actor == null ? null : actor.path();
  }

  private static void known(Json json, long number) throws IOException {
    known(json, number, -1);
  }

  private static void known(Json json, long number, long unknown) throws IOException {
    if (number == unknown) {
      json.value((String) null);
    } else {
      json.value(number);
    }
  }
}
