// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.deimos.agent.export.ExportedSpan;
import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.agent.span.SpanForm;
import io.deimos.agent.span.UserEdits;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.ring.AnyRecord;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanEncoderTest {
  private static final Resource RESOURCE =
      Resource.create(
          Attributes.of(
              AttributeKey.stringKey("service.name"),
              "shop",
              AttributeKey.longKey("process.pid"),
              42L),
          "https://opentelemetry.io/schemas/1.30.0");

  private final List<SpanData> expected = new ArrayList<>();
  private final SpanLimits limits = SpanLimits.getDefault();
  private final RequestFrame frame = new RequestFrame(RESOURCE);
  private final SpanEncoder encoder = new SpanEncoder(limits);
  private final Batch batch = new Batch(frame.headBytes(), 1 << 20, true);
  private final AnyRecord records = new AnyRecord(this::both);
  private final MessageClass place = Records.message("shop.Orders$Place");
  private final ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
  private final ActorTelemetry desk = Records.actor("pekko://shop/user/desk", "shop.Desk");

  /** Takes a record by both ways. */
  private void both(SpanView view) {
    expected.add(new ExportedSpan(PlainSpan.of(RecordedSpan.exported(view, RESOURCE)), limits));
    encode(view);
  }

  private void encode(SpanView view) {
    int bytes = encoder.prepare(view);
    int before = batch.end();
    encoder.write(view, batch, 1);
    assertThat(batch.end() - before).isEqualTo(bytes);
  }

  /** Our request, after it was compared with the SDK's. */
  private ExportTraceServiceRequest request() throws IOException {
    frame.seal(batch);
    ByteArrayOutputStream ours = new ByteArrayOutputStream();
    batch.writeMessage(ours);
    assertThat(ours.size()).isEqualTo(batch.getContentLength());
    ByteArrayOutputStream theirs = new ByteArrayOutputStream();
    TraceRequestMarshaler.create(expected).writeBinaryTo(theirs);
    ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(ours.toByteArray());
    assertThat(request).isEqualTo(ExportTraceServiceRequest.parseFrom(theirs.toByteArray()));
    assertThat(request.getResourceSpans(0).getScopeSpans(0).getSpansCount())
        .isEqualTo(expected.size());
    return request;
  }

  private Span onlySpan() throws IOException {
    return request().getResourceSpans(0).getScopeSpans(0).getSpans(0);
  }

  @Test
  void write_root_equalsTheSdks() throws IOException {
    records.write(3, 0, place, cart, null, null);
    Span span = onlySpan();
    assertThat(span.getName()).isEqualTo("process Place");
    assertThat(span.getParentSpanId().isEmpty()).isTrue();
    assertThat(span.getEventsCount()).isEqualTo(2);
    assertThat(span.getAttributesCount()).isEqualTo(9);
  }

  /** A record takes 1.5 µs in the mailbox. */
  @ParameterizedTest
  @CsvSource({
    "CONSUMER, false, false, process Place",
    "INTERNAL, true, false, process Place",
    "SERVER, false, true, process /user/cart-*",
    "CONSUMER, true, true, process /user/cart-*"
  })
  void write_inAnotherForm_equalsTheSdks(
      SpanKind kind, boolean fromTakeOut, boolean byDestination, String name) throws IOException {
    SpanForm.export(new SpanForm(kind, fromTakeOut, byDestination));
    try {
      SpanEncoderTest formed = new SpanEncoderTest();
      formed.records.write(3, 4, place, cart, desk, null);
      Span span = formed.onlySpan();
      assertThat(span.getName()).isEqualTo(name);
      assertThat(span.getKind().name()).isEqualTo("SPAN_KIND_" + kind);
      assertThat(span.getStartTimeUnixNano())
          .isEqualTo(span.getEvents(fromTakeOut ? 1 : 0).getTimeUnixNano());
      assertThat(span.getEvents(0).getTimeUnixNano())
          .isLessThan(span.getEvents(1).getTimeUnixNano());
    } finally {
      SpanForm.export(SpanForm.USUAL);
    }
  }

  @Test
  void write_child_equalsTheSdks() throws IOException {
    records.write(-3, Long.MIN_VALUE, place, cart, desk, null);
    assertThat(onlySpan().getAttributesCount()).isEqualTo(10);
  }

  @Test
  void write_withoutActors_equalsTheSdks() throws IOException {
    records.write(3, 4, place, null, null, null);
    assertThat(onlySpan().getAttributesCount()).isEqualTo(5);
  }

  @Test
  void write_sendNotSeen_equalsTheSdks() throws IOException {
    records.write(3, 4, 0, 5_001, place, cart, desk, null);
    Span span = onlySpan();
    assertThat(span.getEvents(0).getTimeUnixNano()).isEqualTo(span.getEvents(1).getTimeUnixNano());
  }

  @Test
  void write_otherMessageClass_equalsTheSdks() throws IOException {
    records.write(3, 4, io.deimos.recorder.actors.MessageClasses.OTHER, cart, desk, null);
    assertThat(onlySpan().getName()).isEqualTo("process other");
  }

  @Test
  void write_longAndForeignNames_equalsTheSdks() throws IOException {
    String path = "pekko://shop/user/" + "größe-日本語-😀/".repeat(400) + "x";
    ActorTelemetry far = Records.actor(path, "läden.Verkäufer".repeat(300));
    MessageClass message = Records.message("läden." + "Ж".repeat(20_000));
    for (int i = 1; i <= 3; i++) {
      records.write(i, 4, message, far, cart, null);
      records.write(-i, 4, message, cart, far, null);
    }
    assertThat(request().getResourceSpans(0).getScopeSpans(0).getSpans(5).getName()).endsWith("ЖЖ");
  }

  @Test
  void write_typedActorBecomesKnown_namesItsClass() throws IOException {
    ActorTelemetry typed = Records.actor("pekko://shop/user/typed", "typed");
    records.write(1, 0, place, typed, null, null);
    AnyRecord.settle(typed, "shop.Till");
    records.write(2, 0, place, typed, typed, null);
    assertThat(request().toString()).contains("shop.Till").contains("\"typed\"");
  }

  @Test
  void write_actorsThatShareASlot_equalsTheSdks() throws IOException {
    List<ActorTelemetry> many = new ArrayList<>();
    for (int i = 0; i <= EncodedNames.ACTORS; i++) {
      many.add(Records.actor("pekko://shop/user/a" + i, "shop.A"));
    }
    ActorTelemetry one = many.get(0);
    ActorTelemetry same = many.get(EncodedNames.ACTORS);
    assertThat(same.id() - one.id()).isEqualTo(EncodedNames.ACTORS);
    for (int i = 1; i < 4; i++) {
      records.write(i, 0, place, one, same, null);
    }
    request();
  }

  @Test
  void write_failure_equalsTheSdks() throws IOException {
    Rare rare = new Rare(new IllegalStateException("no stock: größe"), null, null, null);
    records.write(3, 4, place, cart, desk, rare);
    assertThat(onlySpan().getEventsCount()).isEqualTo(3);
  }

  @Test
  void write_unknownAndRemoteSender_equalsTheSdks() throws IOException {
    String remote = "Actor[pekko://other@10.0.0.1:25520/user/far#123]";
    records.write(3, 4, place, cart, null, new Rare(null, null, remote, null));
    records.write(4, 4, place, cart, null, new Rare(null, null, "Actor[pekko://a/temp/$b]", null));
    assertThat(request().toString()).contains("pekko://other@10.0.0.1:25520/user/far");
  }

  @Test
  void write_link_equalsTheSdks() throws IOException {
    for (String reason : List.of(Link.TICK, "größe", "x".repeat(300), Link.TICK)) {
      Rare rare = new Rare(null, null, null, null, link(reason), false, List.of(), null);
      records.write(3, 0, place, cart, desk, rare);
      records.write(4, 3, place, cart, null, rare);
    }
    assertThat(onlySpan().getLinks(0).getAttributesCount()).isEqualTo(1);
  }

  private static Link link(String reason) {
    return new Link(Long.MIN_VALUE, 1, -4, reason);
  }

  @Test
  void write_asksOfActorsHere_equalsTheSdks() throws IOException {
    ActorTelemetry silent =
        Actors.register(
            "pekko://shop/system/region",
            ActorKinds.of("shop", "org.apache.pekko.cluster.sharding.ShardRegion", true));
    records.ask(1, 2, place, cart, desk, null);
    records.ask(3, 0, place, cart, null, link(Link.TICK));
    records.ask(4, 3, place, silent, desk, null);
    records.ask(5, 3, place, cart, silent, null);
    records.write(6, 5, place, cart, desk, null);
    records.ask(7, 6, place, cart, cart, null);
    Span asked = onlySpan();
    assertThat(asked.getName()).isEqualTo("ask Place");
    assertThat(asked.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(asked.getEventsCount()).isZero();
    assertThat(asked.toString()).contains("pekko://shop/user/desk", "pekko://shop/user/cart-7");
  }

  @Test
  void write_askInAnotherForm_equalsTheSdks() throws IOException {
    SpanForm.export(new SpanForm(SpanKind.SERVER, true, true));
    try {
      SpanEncoderTest formed = new SpanEncoderTest();
      formed.records.ask(1, 2, place, cart, desk, null);
      assertThat(formed.onlySpan().getName()).isEqualTo("ask /user/cart-*");
    } finally {
      SpanForm.export(SpanForm.USUAL);
    }
  }

  /** A span that the SDK wrote leaves nothing behind in the next. */
  @Test
  void write_afterALargeSpan_equalsTheSdks() throws IOException {
    Throwable large = new IllegalStateException("x".repeat(30_000));
    for (int i = 0; i < 3; i++) {
      records.write(3, 4, place, cart, desk, new Rare(large, null, null, null));
      records.write(4, 4, place, cart, desk, new Rare(new Error("short"), null, null, null));
      records.write(5, 4, place, cart, desk, null);
    }
    request();
  }

  @Test
  void write_asks_equalsTheSdks() throws IOException {
    Records asks = new Records(this::both);
    asks.asked(1, 2, 3, 0, null);
    asks.asked(1, 2, 4, 9, new TimeoutException("after 3 s"));
    asks.asked(1, 2, 5, 9, new IllegalStateException());
    Span answered = request().getResourceSpans(0).getScopeSpans(0).getSpans(0);
    assertThat(answered.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(answered.getName()).isEqualTo("ask Get");
  }

  @Test
  void write_usersEdits_equalsTheSdks() throws IOException {
    records.write(3, 4, place, cart, desk, new Rare(null, new Edits(), null, null));
    records.write(3, 4, place, cart, desk, null);
    Span span = request().getResourceSpans(0).getScopeSpans(0).getSpans(0);
    assertThat(span.getName()).isEqualTo("sell");
    assertThat(span.getLinksCount()).isEqualTo(1);
    assertThat(span.getStatus().getMessage()).isEqualTo("sold out");
  }

  @Test
  void write_plainSpans_allocatesNothing() {
    assertAllocatesNothing((to, i) -> to.write(i, i & 1, place, cart, desk, null));
  }

  @Test
  void write_linksAndAsks_allocatesNothing() {
    Rare linked = new Rare(null, null, null, null, link(Link.TICK), false, List.of(), null);
    Rare asked = AnyRecord.beside(place, cart, null);
    assertAllocatesNothing(
        (to, i) -> {
          to.write(i, 0, place, cart, desk, linked);
          to.ask(i, 4, place, desk, asked);
        });
  }

  private void assertAllocatesNothing(ObjIntConsumer<AnyRecord> one) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AnyRecord made =
        new AnyRecord(
            view -> {
              encoder.prepare(view);
              batch.clear();
              encoder.write(view, batch, 1);
            });
    long allocated = Long.MAX_VALUE;
    // Allocations of the JVM itself while it compiles are none of ours:
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2_000; i++) {
        one.accept(made, i);
      }
      allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(allocated).isZero();
  }

  /** Everything a user can do to a span. */
  private static final class Edits implements UserEdits {
    @Override
    public String name() {
      return "sell";
    }

    @Override
    public Attributes attributes() {
      return Attributes.builder()
          .put("order", "o-1")
          .put("pekko.system", "mine")
          .put("count", 3)
          .put("price", 1.5)
          .put("gift", true)
          .put("tags", "a", "ß")
          .put("counts", 1, 2)
          .build();
    }

    @Override
    public List<EventData> events() {
      return List.of(EventData.create(7, "seen", Attributes.of(AttributeKey.longKey("n"), 1L)));
    }

    @Override
    public List<LinkData> links() {
      return List.of(
          LinkData.create(
              SpanContext.createFromRemoteParent(
                  "0102030405060708090a0b0c0d0e0f10",
                  "0102030405060708",
                  TraceFlags.getSampled(),
                  TraceState.builder().put("k", "v").build()),
              Attributes.of(AttributeKey.stringKey("why"), "because")));
    }

    @Override
    public StatusData status() {
      return StatusData.create(io.opentelemetry.api.trace.StatusCode.ERROR, "sold out");
    }
  }
}
